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
  /** Listed nowhere, and signs nothing, until it is activated. */
  insertPending(
    key: Pick<VaultKey, 'keyId' | 'algorithm' | 'publicKey'>,
    at: string,
  ): Promise<void>;
  /** Removes pending keys, which a rotation that did not come to its end left, with their private keys. */
  removePending(): Promise<number>;
  /** Locks the key until the end of the unit of work: what it signs waits. False where it is not the active one. */
  lockActive(keyId: string): Promise<boolean>;
  /** The same beside others that hold it: it stays the active one until all of them have ended. */
  holdActive(keyId: string): Promise<boolean>;
  /** From here on this pending key signs too. */
  activate(keyId: string, statement: KeyStatement): Promise<void>;
  /** From here on nothing is stored that this key signs. */
  retire(keyId: string, statement: KeyStatement): Promise<void>;
  /** Without the pending ones. */
  keys(): Promise<readonly VaultKey[]>;
}

export interface VaultKeyReads {
  hub(): Promise<HubIdentity | null>;
  /** Newest activation first; retired ones included, pending ones not. */
  keys(): Promise<readonly VaultKey[]>;
  /** In order of chain position. */
  statements(): Promise<readonly KeyStatement[]>;
}

/** The log of checkpoints, inside a unit of work. */
export interface CheckpointStore {
  /** Locks the log until the end of the unit of work, and gives its newest leaf; null where it has none. */
  lockLog(): Promise<Checkpoint | null>;
  /** Of one chain, the one with the highest log index; null where it has none. */
  newestOf(chainKey: ChainKey): Promise<Checkpoint | null>;
  /** Of one chain by one key, the one with the highest log index. */
  newestBy(chainKey: ChainKey, signingKeyId: string): Promise<Checkpoint | null>;
  /** In order of log index, from this one on. */
  from(logIndex: number, limit: number): Promise<readonly Checkpoint[]>;
  /** A log index that is taken comes out of the unit of work as DuplicateError. */
  insert(checkpoint: Checkpoint): Promise<void>;
}

/** A part of the log, by log index. */
export interface LogWindow {
  readonly first: number;
  /** Not in it any more. */
  readonly before: number;
}

/** The log of checkpoints as it is committed. */
export interface CheckpointReads {
  /** Of one chain, in order of log index. */
  ofChain(chainKey: ChainKey): Promise<readonly Checkpoint[]>;
  newestOf(chainKey: ChainKey): Promise<Checkpoint | null>;
  /** How many leaves there are. */
  size(): Promise<number>;
  /** The newest of each chain that has a checkpoint and no entry, at most `limit` of them. */
  withoutChain(limit: number): Promise<readonly Checkpoint[]>;
  /**
   * Newest first, of those with a log index below `before` and not below `first`: what an org reads, which are the chains of
   * the records to which it is a party and of its schemas. Null: all.
   */
  ofOrg(orgId: Uuid | null, window: LogWindow, limit: number): Promise<readonly Checkpoint[]>;
  /** The orgs that are a party to the records of these chains. Chains of no record are left out. */
  partiesTo(chainKeys: readonly ChainKey[]): Promise<readonly Uuid[]>;
  /** Of one chain by one key, the one with the highest log index. */
  newestBy(chainKey: ChainKey, signingKeyId: string): Promise<Checkpoint | null>;
  from(logIndex: number, limit: number): Promise<readonly Checkpoint[]>;
}
