import type { Uuid } from '../kernel/ids.ts';
import type { ChainKey } from './chain-key.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { KeyStatement, VaultKey } from './key-statement.ts';

/** Who this hub is; written once, at the first start. `predicateBase` is fixed from then on. */
export interface HubIdentity {
  readonly hubId: Uuid;
  readonly predicateBase: string;
}

/** The registry of signing keys, inside a unit of work. */
export interface VaultKeyStore {
  hub(): Promise<HubIdentity | null>;
  insertHub(hub: HubIdentity): Promise<void>;
  insertKey(key: VaultKey, statement: KeyStatement): Promise<void>;
  keys(): Promise<readonly VaultKey[]>;
}

export interface VaultKeyReads {
  hub(): Promise<HubIdentity | null>;
  /** Newest activation first, retired ones included. */
  keys(): Promise<readonly VaultKey[]>;
  /** In order of chain position. */
  statements(): Promise<readonly KeyStatement[]>;
}

/** The log of checkpoints, inside a unit of work. */
export interface CheckpointStore {
  /** Locks the log until the end of the unit of work and gives the index of the next leaf. */
  lockNextIndex(): Promise<number>;
  /** Of one chain, the one with the highest log index; null where it has none. */
  newestOf(chainKey: ChainKey): Promise<Checkpoint | null>;
  insert(checkpoint: Checkpoint): Promise<void>;
}

export interface CheckpointReads {
  /** Of one chain, in order of log index. */
  ofChain(chainKey: ChainKey): Promise<readonly Checkpoint[]>;
}
