import type { Peer } from '../../domain/federation/peer.ts';
import { assertPeerBaseUrl } from '../../domain/federation/peer-claim.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ActOnPeer } from './act-on-peer.ts';

/** Where the peer is reached from now on. */
export class UpdatePeer {
  constructor(private readonly acts: ActOnPeer) {}

  async execute(
    context: CallContext,
    { hubId, baseUrl }: { readonly hubId: Uuid; readonly baseUrl: string },
  ): Promise<Peer> {
    return this.acts.run(
      context,
      'update',
      { hubId },
      { baseUrl: assertPeerBaseUrl(baseUrl) },
      // Whether it is there shows by a handshake.
      ({ peers }, _peer, now) => peers.note(hubId, { handshakeDueAt: now, handshakeAttempts: 0 }),
    );
  }
}
