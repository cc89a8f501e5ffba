import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { DetachPeer } from './detach-peer.ts';
import type { ActOnPeer } from './act-on-peer.ts';

/** Ends the peering: what waits is not sent, and mirrors of the peer's records end. It can be registered again, for new records only. */
export class RevokePeer {
  constructor(
    private readonly acts: ActOnPeer,
    private readonly detachPeer: DetachPeer,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly hubId: Uuid; readonly reason?: string },
  ): Promise<Peer> {
    const peer = await this.acts.run(
      context,
      'revoke',
      input,
      { handshakeDueAt: null },
      (stores, { hubId }, now) => stores.federationLanes.stopAll(hubId, 'peer_revoked', now),
    );
    await this.detachPeer.of(peer.hubId, context.requestId);
    return peer;
  }
}
