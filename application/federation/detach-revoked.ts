import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { DetachPeer } from './detach-peer.ts';

/** What is left to do of every revoked peer: a crash in the middle of a revocation leaves nothing behind. */
export class DetachRevoked {
  constructor(
    private readonly peers: Pick<PeerReads, 'all'>,
    private readonly detachPeer: DetachPeer,
    private readonly ids: IdSource,
  ) {}

  async execute(): Promise<void> {
    const revoked = (await this.peers.all()).filter(({ status }) => status === 'REVOKED');
    for (const { hubId } of revoked) await this.detachPeer.of(hubId, this.ids.next());
  }
}
