import { encodeBase64 } from '../../../kernel/base64.ts';
import type { JsonObject } from '../../../kernel/canonical-json.ts';
import { toHex } from '../../../kernel/digest.ts';
import { ALGORITHMS } from '../../../vault/algorithm.ts';
import type { OrgRead } from '../../../transparency/org-read.ts';
import type { CosignedCheckpoint } from '../../../transparency/org-reads-checkpoint.ts';
import type { ChainEntry } from '../../../vault/chain.ts';
import type { Checkpoint } from '../../../vault/checkpoint.ts';
import type { StampedCheckpoint } from '../../../vault/vault-snapshot.port.ts';
import type { KeyStatement, VaultKey } from '../../../vault/key-statement.ts';

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

export const checkpointRow = ({
  timestampToken = null,
  ...checkpoint
}: Pick<Checkpoint, 'logIndex' | 'chainKey' | 'position' | 'coseSign1'> &
  Partial<Pick<StampedCheckpoint, 'timestampToken'>>): JsonObject => ({
  log_index: checkpoint.logIndex,
  chain_key: checkpoint.chainKey,
  position: checkpoint.position,
  cose_sign1: encodeBase64(checkpoint.coseSign1),
  ...(timestampToken ? { timestamp_token: encodeBase64(timestampToken) } : {}),
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

export const orgReadRow = (read: OrgRead): JsonObject => ({
  org_id: read.orgId,
  leaf_index: read.leafIndex,
  signing_key_id: read.signingKeyId,
  leaf_hash: toHex(read.leafHash),
  cose_sign1: encodeBase64(read.coseSign1),
  created_at: read.createdAt,
});

/** In the file those of one size stand in the order of their key ids. */
export const orgReadsCheckpointRow = (checkpoint: CosignedCheckpoint): JsonObject => ({
  org_id: checkpoint.orgId,
  tree_size: checkpoint.treeSize,
  root_hash: toHex(checkpoint.rootHash),
  signing_key_id: checkpoint.signingKeyId,
  cose_sign1: encodeBase64(checkpoint.coseSign1),
  ...(checkpoint.cosignature
    ? {
        witness_key_id: checkpoint.cosignature.witnessKeyId,
        witness_signature: encodeBase64(checkpoint.cosignature.signature),
      }
    : {}),
  created_at: checkpoint.createdAt,
});
