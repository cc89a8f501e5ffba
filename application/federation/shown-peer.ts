import type { Peer, PeerStatus, PendingPeer } from '../../domain/federation/peer.ts';

/** A hub as an operator sees it: registered, or with a handshake that waits. */
export type ShownPeer = Peer | PendingPeer;

export const statusOf = (peer: ShownPeer): PeerStatus =>
  'status' in peer ? peer.status : 'PENDING';
