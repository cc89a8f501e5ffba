import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { DetachRecord } from './detach-record.ts';

const PAGE = 200;

/**
 * Ends the mirrors of a revoked peer's records, and detaches the records here that it has mirrors of: where the hub is
 * registered again, it starts with new records only.
 */
export class DetachPeer {
  constructor(
    private readonly reads: FederationReads,
    private readonly detachRecord: DetachRecord,
  ) {}

  async of(hubId: Uuid, requestId: string): Promise<void> {
    let after: Uuid | null = null;
    for (;;) {
      const page: readonly Uuid[] = await this.reads.attachedTo(hubId, after, PAGE);
      for (const recordId of page)
        await this.detachRecord.detach(recordId, 'peer_revoked', requestId);
      if (page.length < PAGE) return;
      after = page.at(-1)!;
    }
  }
}
