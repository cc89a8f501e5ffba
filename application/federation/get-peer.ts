import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { PendingPeer } from '../../domain/federation/peer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ShownPeer } from './shown-peer.ts';

export class GetPeer {
  constructor(
    private readonly peers: PeerReads,
    private readonly clock: Clock,
  ) {}

  /** The registered hub, else the newest handshake under this hubId. */
  async execute(
    _context: CallContext,
    { hubId }: { readonly hubId: Uuid },
  ): Promise<{ readonly peer: ShownPeer; readonly pending: readonly PendingPeer[] }> {
    const now = this.clock.now().toISOString();
    const pending = (await this.peers.pending(now)).filter((row) => row.hubId === hubId);
    const peer = (await this.peers.find(hubId)) ?? pending[0];
    if (!peer) throw notFound('peer');
    return { peer, pending };
  }
}
