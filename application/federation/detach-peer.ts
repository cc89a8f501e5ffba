import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { Log } from '../ports/log.port.ts';
import type { DetachRecord } from './detach-record.ts';

const PAGE = 200;

/**
 * Ends the mirrors of a revoked peer's records, and detaches the records here that it has mirrors of: where the hub is
 * registered again, it starts with new records only. What was shared under an earlier registration is detached then, too.
 */
export class DetachPeer {
  constructor(
    private readonly reads: FederationReads,
    private readonly detachRecord: DetachRecord,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /**
   * @param goesOn asked before each record.
   * @returns whether none is left that can be detached; one that was edited behind the service is told of and left.
   */
  async of(
    { hubId, status, generation }: Pick<Peer, 'hubId' | 'status' | 'generation'>,
    requestId: string,
    goesOn: () => boolean,
  ): Promise<boolean> {
    const but = status === 'REVOKED' ? null : generation;
    let after: Uuid | null = null;
    for (;;) {
      const page: readonly Uuid[] = await this.reads.attachedTo(hubId, but, after, PAGE);
      for (const recordId of page) {
        if (!goesOn()) return false;
        await this.detach(recordId, requestId);
      }
      if (page.length < PAGE) return true;
      after = page.at(-1)!;
    }
  }

  /** Whoever edits one record keeps no other from being detached. */
  private async detach(recordId: Uuid, requestId: string): Promise<void> {
    try {
      await this.detachRecord.detach(recordId, 'peer_revoked', requestId);
    } catch (error) {
      if (!isDrift(error)) throw error;
      this.log.error(
        { recordId, err: error },
        'a record of a revoked peer was edited behind the service, and is not detached',
      );
    }
  }
}
