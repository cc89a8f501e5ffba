import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { SealedKey } from '../../../domain/vault/sealed-key-store.port.ts';
import type { HubIdentity } from '../../../domain/vault/vault-store.port.ts';
import type { SqlValue } from '../session.ts';
import { bytesFromSql, orNull, timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';
import { table } from './tables.ts';

/** One row at most: its primary key is the constant 1. */
export const INSTANCE = table('instance', ['id', 'hub_id', 'predicate_base']);

export interface InstanceRow {
  readonly hub_id: Uint8Array;
  readonly predicate_base: string;
}

export const hubToRow = (hub: HubIdentity): readonly SqlValue[] => [
  1,
  uuidToSql(hub.hubId),
  hub.predicateBase,
];
export const rowToHub = (row: InstanceRow): HubIdentity => ({
  hubId: uuidFromSql(row.hub_id),
  predicateBase: row.predicate_base,
});

export const VAULT_SIGNING_KEYS = table('vault_signing_keys', [
  'key_id',
  'algorithm',
  'public_key',
  'status',
  'activated_at',
  'retired_at',
]);

export interface VaultKeyRow {
  readonly key_id: string;
  readonly algorithm: VaultAlgorithm;
  readonly public_key: Uint8Array;
  readonly status: VaultKey['status'];
  readonly activated_at: number;
  readonly retired_at: number | null;
}

export const vaultKeyToRow = (key: VaultKey): readonly SqlValue[] => [
  key.keyId,
  key.algorithm,
  key.publicKey,
  key.status,
  timeToSql(key.activatedAt),
  orNull(key.retiredAt, timeToSql),
];

export const rowToVaultKey = (row: VaultKeyRow): VaultKey => ({
  keyId: row.key_id,
  algorithm: row.algorithm,
  publicKey: bytesFromSql(row.public_key),
  status: row.status,
  activatedAt: timeFromSql(row.activated_at),
  retiredAt: orNull(row.retired_at, timeFromSql),
});

export const VAULT_KEY_STATEMENTS = table('vault_key_statements', [
  'chain_position',
  'key_id',
  'statement',
  'cose_sign1',
  'created_at',
]);

export interface KeyStatementRow {
  readonly chain_position: number;
  readonly key_id: string;
  readonly statement: KeyStatement['statement'];
  readonly cose_sign1: Uint8Array;
  readonly created_at: number;
}

export const keyStatementToRow = (statement: KeyStatement): readonly SqlValue[] => [
  statement.chainPosition,
  statement.keyId,
  statement.statement,
  statement.coseSign1,
  timeToSql(statement.createdAt),
];

export const rowToKeyStatement = (row: KeyStatementRow): KeyStatement => ({
  keyId: row.key_id,
  statement: row.statement,
  chainPosition: row.chain_position,
  coseSign1: bytesFromSql(row.cose_sign1),
  createdAt: timeFromSql(row.created_at),
});

export const VAULT_CHECKPOINTS = table('vault_checkpoints', [
  'log_index',
  'id',
  'chain_key',
  'chain_kind',
  'position',
  'head_hash',
  'signing_key_id',
  'created_at',
  'cose_sign1',
]);

export interface CheckpointRow {
  readonly log_index: number;
  readonly id: Uint8Array;
  readonly chain_key: string;
  readonly chain_kind: Checkpoint['chainKind'];
  readonly position: number;
  readonly head_hash: Uint8Array;
  readonly signing_key_id: string;
  readonly created_at: number;
  readonly cose_sign1: Uint8Array;
}

export const checkpointToRow = (checkpoint: Checkpoint): readonly SqlValue[] => [
  checkpoint.logIndex,
  uuidToSql(checkpoint.id),
  checkpoint.chainKey,
  checkpoint.chainKind,
  checkpoint.position,
  checkpoint.headHash,
  checkpoint.signingKeyId,
  timeToSql(checkpoint.createdAt),
  checkpoint.coseSign1,
];

export const rowToCheckpoint = (row: CheckpointRow): Checkpoint => ({
  id: uuidFromSql(row.id),
  logIndex: row.log_index,
  chainKey: row.chain_key,
  chainKind: row.chain_kind,
  position: row.position,
  headHash: bytesFromSql(row.head_hash),
  signingKeyId: row.signing_key_id,
  createdAt: timeFromSql(row.created_at),
  coseSign1: bytesFromSql(row.cose_sign1),
});

export const SEALED_KEYS = table('sealed_keys', [
  'key_id',
  'algorithm',
  'public_key',
  'encrypted_private_key',
  'created_at',
]);

export interface SealedKeyRow {
  readonly key_id: string;
  readonly algorithm: VaultAlgorithm;
  readonly public_key: Uint8Array;
  readonly encrypted_private_key: Uint8Array;
  readonly created_at: number;
}

export const sealedKeyToRow = (key: SealedKey): readonly SqlValue[] => [
  key.keyId,
  key.algorithm,
  key.publicKey,
  key.encryptedPrivateKey,
  timeToSql(key.createdAt),
];

export const rowToSealedKey = (row: SealedKeyRow): SealedKey => ({
  keyId: row.key_id,
  algorithm: row.algorithm,
  publicKey: bytesFromSql(row.public_key),
  encryptedPrivateKey: bytesFromSql(row.encrypted_private_key),
  createdAt: timeFromSql(row.created_at),
});
