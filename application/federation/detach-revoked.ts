import type { IdSource } from '../../domain/kernel/ids.ts';
import type { DetachPeer } from './detach-peer.ts';
import { goodPeers, type EveryPeer } from './good-peers.ts';

/** What is left to do of every revoked peer: a crash in the middle of a revocation leaves nothing behind. */
export class DetachRevoked {
  constructor(
    private readonly peers: EveryPeer,
    private readonly detachPeer: DetachPeer,
    private readonly ids: IdSource,
  ) {}

  async execute(): Promise<void> {
    const revoked = (await goodPeers(this.peers)).peers.filter(
      ({ status }) => status === 'REVOKED',
    );
    for (const { hubId } of revoked) await this.detachPeer.of(hubId, this.ids.next());
  }
}
