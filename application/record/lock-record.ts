import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { later } from '../../domain/kernel/instant.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { Acting } from '../../domain/record/sides.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { LoadRecordType } from './load-record-type.ts';
import type { LockedRecord } from './locked-record.ts';

/** Locks a record and proves what an action relies on: its row agrees with its chain, and its type is the sealed one. */
export class LockRecord {
  constructor(
    private readonly recordChains: RecordChains,
    private readonly loadRecordType: LoadRecordType,
  ) {}

  /**
   * The row under its lock, and the time of the database. Nothing of it is proven yet.
   *
   * @throws NOT_FOUND
   */
  async row(
    stores: Stores,
    recordId: Uuid,
  ): Promise<{ readonly record: NotaryRecord; readonly now: Date }> {
    const found = await stores.records.lock(recordId);
    if (!found) throw notFound('record');
    return { record: new NotaryRecord(found.record), now: found.now };
  }

  /**
   * Locks the chain as well. The unit of work holds the row.
   *
   * @throws CONFLICT with reason payload_drift where the row, or the record type, was edited behind the service.
   */
  async prove(
    stores: Stores,
    record: NotaryRecord,
    acting: Acting,
    now: string,
  ): Promise<LockedRecord> {
    const locked = await this.recordChains.lock(stores, record.state);
    // What is decided by the database's clock is never dated before it, however far the node's own is behind.
    const chain = { ...locked, at: later(locked.at, now) };
    const recordType = await this.loadRecordType.load(record.state);
    return { stores, record, chain, recordType, acting, now };
  }
}
