import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ActOnPeer } from './act-on-peer.ts';

/** Messages to the peer wait and its own are refused, until it is resumed. Records at home go on by home's clock. */
export class SuspendPeer {
  constructor(private readonly acts: ActOnPeer) {}

  execute(
    context: CallContext,
    input: { readonly hubId: Uuid; readonly reason?: string },
  ): Promise<Peer> {
    return this.acts.run(context, 'suspend', input);
  }
}
