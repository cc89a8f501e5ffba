import { encodeBase64 } from '../../kernel/base64.ts';
import type { JsonObject } from '../../kernel/canonical-json.ts';
import { toHex } from '../../kernel/digest.ts';
import { ALGORITHMS } from '../../vault/algorithm.ts';
import type { ChainEntry } from '../../vault/chain.ts';
import type { Checkpoint } from '../../vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../vault/key-statement.ts';

/**
 * The files of a dump, `<name>.ndjson`: one row a line, as compact JSON with its members in the order given here, each
 * line ended by one line feed. So the bytes of a file follow from its rows, and no byte of it can be changed unseen.
 */
export const DUMP_FILES = [
  'audit_vault',
  'vault_checkpoints',
  'vault_signing_keys',
  'vault_key_statements',
  'org_admin_reads',
  'org_admin_reads_checkpoints',
] as const;
export type DumpFile = (typeof DUMP_FILES)[number];

export const nameOfDumpFile = (file: DumpFile): string => `${file}.ndjson`;

/** Of `audit_vault`. Hashes are lowercase hex, bytes base64, times ISO 8601 with milliseconds, here and below. */
export const auditVaultRow = (entry: ChainEntry): JsonObject => ({
  chain_key: entry.chainKey,
  chain_position: entry.position,
  record_id: entry.recordId,
  entry_type: entry.entryType,
  signing_key_id: entry.signingKeyId,
  previous_hash: toHex(entry.previousHash),
  hash: toHex(entry.hash),
  cose_sign1: encodeBase64(entry.coseSign1),
  oidc_iss: entry.oidcIss,
  oidc_sub: entry.oidcSub,
  created_at: entry.at,
});

export const checkpointRow = (
  checkpoint: Pick<Checkpoint, 'logIndex' | 'chainKey' | 'position' | 'coseSign1'>,
): JsonObject => ({
  log_index: checkpoint.logIndex,
  chain_key: checkpoint.chainKey,
  position: checkpoint.position,
  cose_sign1: encodeBase64(checkpoint.coseSign1),
});

/** In the file they stand in the order of their succession, the first key first. */
export const signingKeyRow = (key: VaultKey): JsonObject => ({
  key_id: key.keyId,
  algorithm: key.algorithm,
  cose_algorithm: ALGORITHMS[key.algorithm].cose,
  public_key: encodeBase64(key.publicKey),
  status: key.status,
  activated_at: key.activatedAt,
  retired_at: key.retiredAt,
});

export const keyStatementRow = (statement: KeyStatement): JsonObject => ({
  key_id: statement.keyId,
  statement: statement.statement,
  chain_position: statement.chainPosition,
  cose_sign1: encodeBase64(statement.coseSign1),
  created_at: statement.createdAt,
});
