import type { Uuid } from '../kernel/ids.ts';
import type { Peer, PendingPeer } from './peer.ts';

/**
 * Committed rows. Null where missing.
 *
 * @throws CONFLICT with reason payload_drift for a row that its MAC or the platform chain does not bear out.
 */
export interface PeerReads {
  find(hubId: Uuid): Promise<Peer | null>;
  /** Every hub that was registered, whatever its status, newest first. There are few. */
  all(): Promise<readonly Peer[]>;
  /** Of every row, whatever its MAC says: each is to be found by its id. */
  hubIds(): Promise<readonly Uuid[]>;
  /** Handshakes of hubs that nobody registered, newest first. Those that ended, or were edited, are left out. */
  pending(now: string): Promise<readonly PendingPeer[]>;
  /** Whether a handshake is due. */
  hasHandshakeDue(now: string): Promise<boolean>;
}

/** Inside a unit of work. */
export interface PeerStore {
  insert(peer: Peer): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(hubId: Uuid): Promise<Peer | null>;
  /** The same beside others who only want it to stay as it is: whoever changes it waits for them. */
  hold(hubId: Uuid): Promise<Peer | null>;
  /** Every hub that was registered. */
  all(): Promise<readonly Peer[]>;
  update(peer: Peer): Promise<void>;
  /** What says how to reach it, and decides nothing: the row keeps its version. */
  note(
    hubId: Uuid,
    noted: Partial<Pick<Peer, 'name' | 'handshakeDueAt' | 'handshakeAttempts'>>,
  ): Promise<void>;
  /** All pending ones, locked. Those that ended are deleted, and so are rows that somebody else wrote, with an alarm. */
  lockPending(now: string): Promise<readonly PendingPeer[]>;
  insertPending(pending: PendingPeer): Promise<void>;
  deletePending(ids: readonly Uuid[]): Promise<void>;
  /**
   * A nonce is good once.
   *
   * @param id SHA-256 of the key and the nonce. The unit of work fails with DuplicateError where it was used before.
   */
  spendNonce(id: Uint8Array, until: string): Promise<void>;
}

/** The key statements of a peer, as they were verified when they came. */
export interface PeerKeyStatements {
  readonly hubId: Uuid;
  /** The root from which they were reached. */
  readonly vaultRoot: string;
  /** COSE_Sign1 of each, in the order of the peer's platform chain. */
  readonly statements: readonly Uint8Array[];
  readonly fetchedAt: string;
}

export interface PeerKeyStatementReads {
  find(hubId: Uuid): Promise<PeerKeyStatements | null>;
  /** Those under roots that the hub had before. */
  former(hubId: Uuid): Promise<readonly PeerKeyStatements[]>;
}

export interface PeerKeyStatementStore {
  /** Replaces those of the hub; those under another root are kept as former ones. */
  put(statements: PeerKeyStatements): Promise<void>;
}
