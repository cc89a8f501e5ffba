import type { KeptAnswer } from '../../../application/idempotency/idempotency-store.port.ts';
import type { SqlValue } from '../session.ts';
import { booleanToSql, bytesFromSql, timeFromSql, timeToSql } from '../values.ts';
import { table } from './tables.ts';

export const IDEMPOTENCY = table('idempotency', [
  'scope',
  'body_hash',
  'answer',
  'is_provisional',
  'created_at',
]);

/** How long an answer is replayed, ms. */
export const ANSWER_LIFETIME = 24 * 60 * 60 * 1000;

export interface IdempotencyRow {
  readonly scope: Uint8Array;
  readonly body_hash: Uint8Array;
  readonly answer: string;
  readonly is_provisional: number;
  readonly created_at: number;
}

export const answerToRow = (answer: KeptAnswer): readonly SqlValue[] => [
  answer.scope,
  answer.bodyHash,
  answer.answer,
  booleanToSql(answer.isProvisional),
  timeToSql(answer.createdAt),
];

export const rowToAnswer = (row: IdempotencyRow): KeptAnswer => ({
  scope: bytesFromSql(row.scope),
  bodyHash: bytesFromSql(row.body_hash),
  answer: row.answer,
  isProvisional: Boolean(row.is_provisional),
  createdAt: timeFromSql(row.created_at),
});
