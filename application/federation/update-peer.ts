import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { ActOnPeer } from './act-on-peer.ts';
import { assertPeerHost } from './peer-host.ts';

/** Where the peer is reached from now on. */
export class UpdatePeer {
  constructor(
    private readonly acts: ActOnPeer,
    private readonly addresses: AddressRules,
  ) {}

  async execute(
    context: CallContext,
    { hubId, baseUrl }: { readonly hubId: Uuid; readonly baseUrl: string },
  ): Promise<Peer> {
    return this.acts.run(
      context,
      'update',
      { hubId },
      { baseUrl: assertPeerHost(baseUrl, this.addresses) },
      // Whether it is there shows by a handshake.
      ({ peers }, _peer, now) => peers.note(hubId, { handshakeDueAt: now, handshakeAttempts: 0 }),
    );
  }
}
