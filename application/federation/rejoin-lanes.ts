import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { isSilenced } from '../../domain/record/federated-record.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { LockRecord } from '../record/lock-record.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/** Records that one look goes over. */
const PAGE = 500;

/**
 * Which lane a message is in stands under no MAC, for it only serves an index. Whether it was answered does, and so does
 * the reason for which a record is detached. So a message that waits for its answer and is in no lane was taken out by
 * somebody who wrote the database: it is put back, and the operator is told.
 */
export class RejoinLanes {
  /** The look goes round: each goes on where the one before ended. */
  private after: Uuid | null = null;
  private found: readonly Uuid[] = [];

  constructor(
    private readonly reads: Pick<FederationReads, 'outOfLane'>,
    private readonly records: Pick<RecordReads, 'find'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly lockRecord: LockRecord,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** Looks at the next records. It only reads, so every node may. */
  async isNeeded(): Promise<boolean> {
    const { recordIds, next } = await this.reads.outOfLane(this.after, PAGE);
    this.after = next;
    const found: Uuid[] = [];
    for (const recordId of recordIds) {
      const record = (await this.records.find(recordId))?.record;
      if (!isSilenced(record?.federation?.detached ?? null)) found.push(recordId);
    }
    this.found = found;
    return found.length > 0;
  }

  async execute(): Promise<void> {
    for (const recordId of this.found) await this.mend(recordId);
  }

  private async mend(recordId: Uuid): Promise<void> {
    try {
      const messages = await this.rejoin(recordId);
      if (messages > 0)
        this.log.error(
          { alarm: 'federation_lane', recordId, messages },
          'messages to a peer were taken out of their lane behind the service; they are in it again',
        );
    } catch (error) {
      if (!isDrift(error)) throw error;
      this.log.error(
        { alarm: 'federation_lane', recordId, err: error },
        'messages to a peer are in no lane, and the record was edited behind the service',
      );
    }
  }

  private rejoin(recordId: Uuid): Promise<number> {
    return this.unitOfWork.transaction(async (stores) => {
      const { record, now } = await this.lockRecord.row(stores, recordId);
      await this.lockRecord.prove(stores, record, 'system', now.toISOString());
      const isSilent = isSilenced(record.state.federation?.detached ?? null);
      return isSilent ? 0 : stores.federation.rejoin(recordId);
    });
  }
}
