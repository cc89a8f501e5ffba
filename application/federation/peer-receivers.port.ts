import type { VerifiedPeer } from '../../domain/federation/peer.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/**
 * What a route of the federation does with a body of a peer, once the request is admitted: its signature, nonce and quota
 * are good, the body is an object, toHubId is this hub and originHubId the peer. It may throw a NotaryError.
 */
export interface PeerReceiver {
  execute(peer: VerifiedPeer, body: JsonObject): Promise<PeerReply>;
}

/** `status` 200, or 409 and 422 with the members of the problem document beside the usual ones. */
export interface PeerReply {
  readonly status: 200;
  readonly body: object;
}

export interface PeerReceivers {
  readonly stateTransitions: PeerReceiver;
  readonly signals: PeerReceiver;
}
