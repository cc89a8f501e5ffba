import {
  encryptionKey,
  signingKey,
  type EncryptionKey,
  type SigningKey,
} from '../../../domain/identity/agent-key.ts';
import {
  coseThumbprint,
  type AgentPublicKey,
  type Curve,
} from '../../../domain/identity/agent-public-key.ts';
import type { SqlValue } from '../session.ts';
import {
  bytesFromSql,
  hexToSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const AGENT_KEYS = table('agent_keys', [
  'thumbprint',
  'agent_id',
  'purpose',
  'curve',
  'public_key',
  'issuers',
  'entry_position',
  'started_at',
  'ended_at',
]);

export interface AgentKeyRow {
  /** RFC 9679, of either purpose. */
  readonly thumbprint: Uint8Array;
  readonly agent_id: Uint8Array;
  readonly purpose: 'signing' | 'encryption';
  readonly curve: Curve;
  readonly public_key: Uint8Array;
  readonly issuers: string;
  readonly entry_position: number;
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** In the order of AGENT_KEYS.columns. */
export const signingKeyToRow = (
  signing: SigningKey,
  entryPosition: number,
): readonly SqlValue[] => [
  hexToSql(signing.thumbprint),
  uuidToSql(signing.agentId),
  'signing',
  signing.key.curve,
  signing.key.raw,
  jsonToSql(signing.issuers),
  entryPosition,
  timeToSql(signing.addedAt),
  orNull(signing.revokedAt, timeToSql),
];

/** In the order of AGENT_KEYS.columns. */
export const encryptionKeyToRow = (
  encryption: EncryptionKey,
  entryPosition: number,
): readonly SqlValue[] => [
  coseThumbprint(encryption.key),
  uuidToSql(encryption.agentId),
  'encryption',
  encryption.key.curve,
  encryption.key.raw,
  jsonToSql([]),
  entryPosition,
  timeToSql(encryption.setAt),
  null,
];

/** The thumbprint is computed of the key again: a row whose two columns were edited apart shows no false kid. */
export const rowToSigningKey = (row: AgentKeyRow): SigningKey =>
  signingKey(
    uuidFromSql(row.agent_id),
    keyOf(row),
    jsonFromSql<readonly string[]>(row.issuers),
    timeFromSql(row.started_at),
    orNull(row.ended_at, timeFromSql),
  );

export const rowToEncryptionKey = (row: AgentKeyRow): EncryptionKey =>
  encryptionKey(uuidFromSql(row.agent_id), keyOf(row), timeFromSql(row.started_at));

const keyOf = (row: AgentKeyRow): AgentPublicKey => ({
  curve: row.curve,
  raw: bytesFromSql(row.public_key),
});
