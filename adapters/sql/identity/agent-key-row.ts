import {
  encryptionKey,
  signingKey,
  type EncryptionKey,
  type SigningKey,
} from '../../../domain/identity/agent-key.ts';
import { coseThumbprint, type Curve } from '../../../domain/identity/agent-public-key.ts';
import type { SqlValue } from '../base/session.ts';
import { BYTES, INSTANT, INTEGER, json, nullable, oneOf, UUID } from '../tables/codec.ts';
import { column, derived, group, written } from '../tables/column.ts';
import type { RowOf } from '../tables/column-map.ts';
import { hexFromSql } from '../base/values.ts';
import { sealedTable } from '../tables/sealed-table.ts';

/** Keys of both purposes. */
export const AGENT_KEYS = sealedTable(
  'agent_keys',
  {
    agentId: column('agent_id', UUID),
    purpose: written('purpose', oneOf<'signing' | 'encryption'>()),
    key: group({
      curve: column('curve', oneOf<Curve>()),
      raw: column('public_key', BYTES),
    }),
    /**
     * The RFC 9679 thumbprint. It is never read, so a row with an edited thumbprint cannot show a
     * false kid.
     */
    thumbprint: derived('thumbprint', BYTES, ({ key }: Pick<SigningKey, 'key'>) =>
      coseThumbprint(key),
    ),
    issuers: column('issuers', json<readonly string[]>()),
    entryPosition: written('entry_position', INTEGER),
    startedAt: column('started_at', INSTANT),
    endedAt: column('ended_at', nullable(INSTANT)),
  },
  {
    key: 'thumbprint',
    // Two versions: as published, and ended. Nothing is verified or encrypted under a key that ended.
    revision: ({ thumbprint, ended_at: endedAt }) =>
      endedAt === null ? { id: hexFromSql(thumbprint as Uint8Array), version: 1 } : null,
  },
);

type AgentKeyRow = RowOf<typeof AGENT_KEYS>;

export const SIGNING_KEYS = {
  sealed: AGENT_KEYS,
  toRow: (signing: SigningKey, entryPosition: number): readonly SqlValue[] =>
    AGENT_KEYS.toRow({
      ...signing,
      purpose: 'signing',
      entryPosition,
      startedAt: signing.addedAt,
      endedAt: signing.revokedAt,
    }),
  fromRow: (row: AgentKeyRow): SigningKey => {
    const { agentId, key, issuers, startedAt, endedAt } = AGENT_KEYS.fromRow(row);
    return signingKey(agentId, key, issuers, startedAt, endedAt);
  },
};

export const ENCRYPTION_KEYS = {
  sealed: AGENT_KEYS,
  toRow: (encryption: EncryptionKey, entryPosition: number): readonly SqlValue[] =>
    AGENT_KEYS.toRow({
      ...encryption,
      purpose: 'encryption',
      issuers: [],
      entryPosition,
      startedAt: encryption.setAt,
      endedAt: null,
    }),
  fromRow: (row: AgentKeyRow): EncryptionKey => {
    const { agentId, key, startedAt } = AGENT_KEYS.fromRow(row);
    return encryptionKey(agentId, key, startedAt);
  },
};
