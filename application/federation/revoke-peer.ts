import type { Peer } from '../../domain/federation/peer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { DetachPeer } from './detach-peer.ts';
import type { ActOnPeer } from './act-on-peer.ts';

/** So long the call itself ends records of the peer, ms; the job goes on. */
const FIRST_MS = 2_000;

/** Ends the peering: what waits is not sent, and mirrors of the peer's records end. It can be registered again, for new records only. */
export class RevokePeer {
  constructor(
    private readonly acts: ActOnPeer,
    private readonly detachPeer: DetachPeer,
    private readonly clock: Clock,
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
    const until = this.clock.now().getTime() + FIRST_MS;
    await this.detachPeer.of(peer, context.requestId, () => this.clock.now().getTime() < until);
    return peer;
  }
}
