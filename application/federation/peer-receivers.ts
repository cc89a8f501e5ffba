import type { VerifiedPeer } from '../../domain/federation/peer.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/**
 * What a route of the federation does with a body of a peer, once the request is admitted: its signature, nonce and quota
 * are good, the body is an object, toHubId is this hub and originHubId the peer.
 */
export interface PeerReceiver {
  /** What is answered with 200. @throws NotaryError, which is answered as a problem document. */
  execute(peer: VerifiedPeer, body: JsonObject, requestId: string): Promise<object>;
}

export interface PeerReceivers {
  readonly stateTransitions: PeerReceiver;
  readonly signals: PeerReceiver;
}
