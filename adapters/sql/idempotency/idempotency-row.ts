import { toHex } from '../../../domain/kernel/digest.ts';
import { BOOLEAN, BYTES, INSTANT, TEXT } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

/** The stored scope is a MAC of the scope of a call: see `scopeText`. */
export const IDEMPOTENCY = sealedTable(
  'idempotency',
  {
    scope: column('scope', BYTES),
    fingerprint: column('body_hash', BYTES),
    answer: column('answer', TEXT),
    isProvisional: column('is_provisional', BOOLEAN),
    createdAt: column('created_at', INSTANT),
  },
  { key: 'scope' },
);

/**
 * The text whose MAC is the stored scope. A reader of the database cannot compute it, so it can neither prepare the row of
 * a call to come nor find the row of a call that it guesses.
 */
export const scopeText = (scope: Uint8Array): string => `idempotency scope\n${toHex(scope)}`;

/** How long an answer is kept for replay, ms. */
export const ANSWER_LIFETIME_MS = 24 * 60 * 60 * 1000;
