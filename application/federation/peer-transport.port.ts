import type { Peer } from '../../domain/federation/peer.ts';
import type { PeerPath } from '../../domain/federation/request-signature.ts';

export interface PeerResponse {
  readonly status: number;
  /** From now on, of a Retry-After in either form; null without one that can be read. */
  readonly retryAfterSeconds: number | null;
  /** Cut where it is longer than any answer of the protocol. */
  readonly body: Uint8Array;
}

/**
 * How a request reaches a peer: signed by the hub key that this peer knows, through the egress guard, under a nonce and a time
 * of its own. One call is one request; whoever repeats a message calls again.
 */
export interface PeerTransport {
  /**
   * @throws EgressRefused where the address is not allowed: nothing was sent.
   * @throws EgressFailed where no whole answer came in time. Whether the peer took the body is not known.
   */
  post(
    peer: Pick<Peer, 'hubId' | 'baseUrl' | 'ownKeyThumbprint'>,
    path: PeerPath,
    body: Uint8Array,
    options?: { readonly totalMs?: number; readonly signal?: AbortSignal },
  ): Promise<PeerResponse>;
}
