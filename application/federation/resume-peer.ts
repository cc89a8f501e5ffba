import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ActOnPeer } from './act-on-peer.ts';

/** Messages go to the peer and come from it again. */
export class ResumePeer {
  constructor(private readonly acts: ActOnPeer) {}

  execute(
    context: CallContext,
    input: { readonly hubId: Uuid; readonly reason?: string },
  ): Promise<Peer> {
    return this.acts.run(context, 'resume', input);
  }
}
