import type { SigningKey } from '../../../domain/identity/agent-key.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type { CosignedCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { NodeId } from '../../../domain/transparency/rfc9162-tree.ts';
import type {
  LogLeaf,
  RegisteredStatement,
} from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { RewindFinding } from '../../../domain/vault/rewind.ts';

/** What the log of checkpoints is made of; the other columns are only shown. */
export type StoredCheckpoint = Pick<Checkpoint, 'logIndex' | 'chainKey' | 'position' | 'coseSign1'>;

/** A leaf of the log of an org. */
export interface StoredLeaf {
  readonly log: LogKey;
  readonly leaf: LogLeaf;
  /** The statement of this hash that the org registered; null where there is none, or the leaf is a chain entry. */
  readonly statement: RegisteredStatement | null;
}

/** A time stamp, with the checkpoint that it stands beside; null where there is none. */
export interface StoredTimestamp {
  readonly logIndex: number;
  readonly token: Uint8Array;
  readonly checkpoint: Pick<Checkpoint, 'chainKey' | 'coseSign1'> | null;
}

/** The logs beside the chains, at the same moment. Null in a list of rows: that row cannot be read. */
export interface ScanLogSnapshot {
  /** In order of log index. */
  checkpoints(): AsyncIterable<readonly StoredCheckpoint[]>;
  /** Of one chain, in order of log index. */
  checkpointsOf(chainKey: ChainKey): AsyncIterable<readonly StoredCheckpoint[]>;
  /** Null where one is missing. */
  nodes(log: LogKey, ids: readonly NodeId[]): Promise<readonly (Uint8Array | null)[]>;
  /** In order of the org's id, then of their index. */
  orgReads(): AsyncIterable<readonly (OrgRead | null)[]>;
  /** In order of the org's id, of their size, then of the key's id. */
  orgReadsCheckpoints(): AsyncIterable<readonly (CosignedCheckpoint | null)[]>;
  /** In order of the log, then of their index. */
  leaves(): AsyncIterable<readonly StoredLeaf[]>;
  /** Those that are chain entries, in order of chain key, by its bytes, and of position. */
  entryLeaves(): AsyncIterable<readonly StoredLeaf[]>;
  /** Revoked ones included. */
  signingKeys(agentId: Uuid): Promise<readonly SigningKey[]>;
  timestamps(): AsyncIterable<readonly StoredTimestamp[]>;
  /** Indexes of checkpoints that are noted as copied out of the database, and are none of that chain and position. */
  strayAnchors(): Promise<readonly number[]>;
  acknowledgedRewinds(): Promise<readonly Pick<RewindFinding, 'chainKey' | 'checkpointHash'>[]>;
}
