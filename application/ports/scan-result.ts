import type { FailureClass } from '../../domain/verification/report/failure.ts';

/** Why something of a chain is broken: a few words for the operator; the class says it as the verifier does. */
export const SCAN_REASONS = [
  'unsupported_algorithm',
  'signature_invalid',
  'payload_drift',
  'hash_mismatch',
  'link_broken',
  'position_gap',
  'key_missing',
  'key_invalid',
  'header_mismatch',
  'decode_failed',
] as const;
export type ScanReason = (typeof SCAN_REASONS)[number];

export const REASON_OF: Readonly<Record<FailureClass, ScanReason>> = {
  CHAIN_GENESIS_INVALID: 'link_broken',
  CHAIN_POSITION_GAP: 'position_gap',
  CHAIN_LINK_BROKEN: 'link_broken',
  CHAIN_HASH_MISMATCH: 'hash_mismatch',
  CHAIN_SIGNATURE_INVALID: 'signature_invalid',
  CHAIN_SIGNATURE_MISSING_KEY: 'key_missing',
  CHAIN_COSE_DECODE_FAILED: 'decode_failed',
  CHAIN_COSE_HEADER_MISMATCH: 'header_mismatch',
  CHAIN_PAYLOAD_BINDING_MISMATCH: 'payload_drift',
  CHAIN_OIDC_ACTOR_MISMATCH: 'payload_drift',
  CHAIN_SIGNING_KEY_DRIFT: 'header_mismatch',
  CHAIN_ALG_MISMATCH: 'header_mismatch',
  CHAIN_UNSUPPORTED_ALGORITHM: 'unsupported_algorithm',
  CHAIN_KEY_EXPIRED: 'key_invalid',
  CHAIN_KEY_POLICY_VIOLATION: 'key_invalid',
  CHECKPOINT_SIGNATURE_INVALID: 'signature_invalid',
  CHECKPOINT_SIGNATURE_MISSING_KEY: 'key_missing',
  CHECKPOINT_DECODE_FAILED: 'decode_failed',
  CHECKPOINT_HEAD_MISMATCH: 'hash_mismatch',
  CHECKPOINT_CHAIN_MISSING: 'position_gap',
  CHECKPOINT_LOG_GAP: 'position_gap',
  CHECKPOINT_ROOT_MISMATCH: 'hash_mismatch',
  TENANT_READ_POSITION_GAP: 'position_gap',
  TENANT_READ_LINK_BROKEN: 'link_broken',
  TENANT_READ_SIGNATURE_INVALID: 'signature_invalid',
  TENANT_READ_PAYLOAD_BINDING_MISMATCH: 'payload_drift',
  TENANT_CHECKPOINT_SIGNATURE_INVALID: 'signature_invalid',
  TENANT_CHECKPOINT_SIZE_MISMATCH: 'position_gap',
  TENANT_CHECKPOINT_ROOT_MISMATCH: 'hash_mismatch',
  TENANT_CHECKPOINT_FORK: 'hash_mismatch',
  TENANT_CHECKPOINT_COSIGNATURE_INVALID: 'signature_invalid',
};

/** One thing that is wrong: with an entry, or with a row that its chain speaks for. */
export interface ScanFault {
  /** Null where the chain is not that of a record. */
  readonly recordId: string | null;
  readonly chainKey: string;
  /** Of the entry; null where it is about a row, or about the chain as a whole. */
  readonly position: number | null;
  readonly reason: ScanReason;
  readonly class: FailureClass;
  /** In plain words, with the row that is meant. */
  readonly detail: string;
}

/** How far a scan is. */
export interface ScanProgress {
  readonly entries: number;
  readonly chains: number;
}

export interface ScanResult extends ScanProgress {
  /** Chains whose entries hold, and whose rows say what they say. */
  readonly healthy: number;
  /** The others, those that are gone although something names them included. */
  readonly broken: number;
  /** Entries whose signature could not be verified. */
  readonly signatureErrors: number;
  /** The first that were found, `MAX_FAULTS` at most, a few of each chain. */
  readonly brokenRecords: readonly ScanFault[];
  /** Faults that were found beyond those. */
  readonly omitted: number;
  readonly durationMs: number;
}

export const MAX_FAULTS = 1_000;
/** So that one chain that was written anew does not hide the others. */
export const MAX_FAULTS_OF_CHAIN = 20;
