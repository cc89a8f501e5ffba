import { BOOLEAN, BYTES, INSTANT, TEXT } from './codec.ts';
import { column } from './column.ts';
import { table } from './tables.ts';

export const IDEMPOTENCY = table('idempotency', {
  scope: column('scope', BYTES),
  fingerprint: column('body_hash', BYTES),
  answer: column('answer', TEXT),
  isProvisional: column('is_provisional', BOOLEAN),
  createdAt: column('created_at', INSTANT),
});

/** How long an answer is kept for replay, ms. */
export const ANSWER_LIFETIME_MS = 24 * 60 * 60 * 1000;
