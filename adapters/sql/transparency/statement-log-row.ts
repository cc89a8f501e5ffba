import type { LogLeaf } from '../../../domain/transparency/statement-log.port.ts';
import type { SqlValue } from '../base/session.ts';
import { BYTES, INSTANT, INTEGER, nullable, TEXT, UUID } from '../tables/codec.ts';
import { column, type Members } from '../tables/column.ts';
import type { RowOf } from '../tables/column-map.ts';
import { table } from '../tables/tables.ts';

export const SCITT_STATEMENTS = table('scitt_statements', {
  orgId: column('org_id', UUID),
  hash: column('hash', BYTES),
  identity: column('identity', BYTES),
  agentId: column('agent_id', UUID),
  coseSign1: column('cose_sign1', BYTES),
  registeredAt: column('created_at', INSTANT),
} satisfies Members);

export const SCITT_LEAVES = table('scitt_leaves', {
  log: column('log_key', TEXT),
  index: column('leaf_index', INTEGER),
  hash: column('hash', BYTES),
  chainKey: column('chain_key', nullable(TEXT)),
  position: column('position', nullable(INTEGER)),
} satisfies Members);

/** A leaf names both of a chain and a position, or neither. */
export const LOG_LEAVES = {
  toRow: (log: string, { index, hash, entry }: LogLeaf): readonly SqlValue[] =>
    SCITT_LEAVES.toRow({
      log,
      index,
      hash,
      chainKey: entry?.chainKey ?? null,
      position: entry?.position ?? null,
    }),
  fromRow: (row: RowOf<typeof SCITT_LEAVES>): LogLeaf => {
    const { index, hash, chainKey, position } = SCITT_LEAVES.fromRow(row);
    const entry = chainKey === null || position === null ? null : { chainKey, position };
    return { index, hash, entry };
  },
};
