import type { CallContext } from '../call/call-context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { MAX_CHILDREN } from '../../domain/record/limits.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { mayRead } from '../../domain/record/sides.ts';
import { chainKindOf, recordChain } from '../../domain/vault/chain-key.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { ApplyDeadlines, DeadlineCause } from './apply-deadlines.ts';
import { keepAsItIs } from './up-to-date-slices.ts';

/** Reads one record for a caller, after every passed deadline of it has taken effect. */
export class FindRecord {
  constructor(
    private readonly reads: RecordReads,
    private readonly deadlines: ApplyDeadlines,
  ) {}

  /** Includes large criteria. @throws as `find` does. */
  async findWhole(context: CallContext, recordId: Uuid): Promise<RecordState> {
    return this.reads.whole(await this.find(context, recordId));
  }

  /**
   * Large criteria are not read: most calls only ask who may do what.
   *
   * @throws NOT_FOUND where it is missing, and just the same where the caller may not read it.
   */
  async find(context: CallContext, recordId: Uuid): Promise<RecordState> {
    const found = await this.reads.find(recordId);
    if (!found || !mayRead(context.caller, found.record)) throw notFound('record');
    // The zero UUID names the platform chain: nothing of it is shown as a record's.
    if (chainKindOf(recordChain(recordId)) !== 'record')
      throw payloadDrift(recordId, 'no chain of a record');
    const isDue = this.deadlines.areDue(new NotaryRecord(found.record), found.now);
    if (isDue) await this.deadlines.to(recordId, context);
    else if (!(await this.childrenEnded(found.record, context))) return found.record;
    return (await this.reads.find(recordId))?.record ?? found.record;
  }

  /** A record waits for no child whose time is out. @returns whether there was one. */
  private async childrenEnded(record: RecordState, cause: DeadlineCause): Promise<boolean> {
    if (record.awaiting !== 'children') return false;
    const due = await this.reads.dueIn({ parentRecordId: record.id }, MAX_CHILDREN);
    for (const childId of due) await this.deadlines.to(childId, cause).catch(keepAsItIs);
    return due.length > 0;
  }
}
