import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import { BYTES, INSTANT, INTEGER, nullable, oneOf, PACKED, TEXT, UUID } from '../tables/codec.ts';
import { column, derived } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

/** The hub: one row at most, since its primary key is the constant 1. */
export const INSTANCE = table('instance', {
  id: derived('id', INTEGER, () => 1),
  hubId: column('hub_id', UUID),
  predicateBase: column('predicate_base', TEXT),
});

export const VAULT_SIGNING_KEYS = table('vault_signing_keys', {
  keyId: column('key_id', TEXT),
  algorithm: column('algorithm', oneOf<VaultAlgorithm>()),
  publicKey: column('public_key', BYTES),
  status: column('status', oneOf<VaultKey['status']>()),
  activatedAt: column('activated_at', INSTANT),
  retiredAt: column('retired_at', nullable(INSTANT)),
});

export const VAULT_KEY_STATEMENTS = table('vault_key_statements', {
  keyId: column('key_id', TEXT),
  statement: column('statement', oneOf<KeyStatement['statement']>()),
  chainPosition: column('chain_position', INTEGER),
  coseSign1: column('cose_sign1', BYTES),
  createdAt: column('created_at', INSTANT),
});

export const VAULT_CHECKPOINTS = table('vault_checkpoints', {
  id: column('id', UUID),
  logIndex: column('log_index', INTEGER),
  chainKey: column('chain_key', TEXT),
  chainKind: column('chain_kind', oneOf<Checkpoint['chainKind']>()),
  position: column('position', INTEGER),
  headHash: column('head_hash', BYTES),
  signingKeyId: column('signing_key_id', TEXT),
  createdAt: column('created_at', INSTANT),
  coseSign1: column('cose_sign1', PACKED),
});

export const CHECKPOINT_TIMESTAMPS = table('checkpoint_timestamps', {
  logIndex: column('log_index', INTEGER),
  token: column('token', BYTES),
});

/** Private keys of the vault, encrypted. */
export const SEALED_KEYS = table('sealed_keys', {
  keyId: column('key_id', TEXT),
  algorithm: column('algorithm', oneOf<VaultAlgorithm>()),
  publicKey: column('public_key', BYTES),
  encryptedPrivateKey: column('encrypted_private_key', BYTES),
  createdAt: column('created_at', INSTANT),
});
