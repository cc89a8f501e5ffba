import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { DetachRecord } from './detach-record.ts';

const PAGE = 200;

/**
 * Ends the mirrors of a revoked peer's records, and detaches the records here that it has mirrors of: where the hub is
 * registered again, it starts with new records only.
 */
export class DetachRevoked {
  constructor(
    private readonly peers: Pick<PeerReads, 'all'>,
    private readonly reads: FederationReads,
    private readonly detachRecord: DetachRecord,
    private readonly ids: IdSource,
  ) {}

  /** All that is left to do, of every revoked peer: a crash in the middle leaves nothing behind. */
  async execute(): Promise<void> {
    const revoked = (await this.peers.all()).filter(({ status }) => status === 'REVOKED');
    for (const { hubId } of revoked) await this.of(hubId, this.ids.next());
  }

  async of(hubId: Uuid, requestId: string): Promise<void> {
    let after: Uuid | null = null;
    for (;;) {
      const page: readonly Uuid[] = await this.reads.attachedTo(hubId, after, PAGE);
      for (const recordId of page)
        await this.detachRecord.execute(recordId, 'peer_revoked', requestId);
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }
}
