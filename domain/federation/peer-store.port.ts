import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Peer, PeerStatus, PendingPeer } from './peer.ts';

/** Committed rows. Null where missing; a row that its MAC or the platform chain does not bear out is missing. */
export interface PeerReads {
  find(hubId: Uuid): Promise<Peer | null>;
  /** Every hub that was registered, whatever its status. There are few. */
  all(): Promise<readonly Peer[]>;
  /** Registered and pending ones, newest first. */
  list(
    filter: { readonly status: PeerStatus | null },
    slice: SliceRequest,
  ): Promise<Slice<Peer | PendingPeer>>;
  pending(hubId: Uuid): Promise<readonly PendingPeer[]>;
}

/** Inside a unit of work. */
export interface PeerStore {
  insert(peer: Peer): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(hubId: Uuid): Promise<Peer | null>;
  update(peer: Peer): Promise<void>;
  /** Handshakes of hubs that are not registered, by hub and key. */
  findPending(hubId: Uuid, publicKeyThumbprint: string): Promise<PendingPeer | null>;
  countPending(address: string): Promise<{ readonly all: number; readonly ofAddress: number }>;
  /** Replaces one of the same hub and key. */
  putPending(pending: PendingPeer): Promise<void>;
  /** All of a hub, whatever their key. */
  deletePending(hubId: Uuid): Promise<void>;
  forgetPending(before: string): Promise<void>;
  /** @returns false where this peer used the nonce already. */
  spendNonce(hubId: Uuid, nonce: string, usedAt: string): Promise<boolean>;
}
