import { CommitLanes } from '../commit/commit-lanes.ts';
import type { MysqlTransaction } from './mysql-transaction.ts';
import { RecordGroup, SharedSession, toldOf } from '../commit/record-group.ts';
import { RecordQueue, type Candidate } from '../commit/record-queue.ts';
import { MYSQL } from './mysql.ts';
import { lockRecords, type LockedRow } from '../records/locked-row.ts';
import type { Unit } from '../commit/unit.ts';
import type { Joined } from '../commit/unit-writer.ts';
import { hexFromSql } from '../base/values.ts';

/**
 * Units that begin with the lock of a record share transactions, as long as their records are different ones. Their locks
 * are taken by one statement, what they read at the same time goes in one message, and all that they write goes in one more,
 * with the commit. Where the shared commit fails, each runs again alone.
 */
export class RecordGroups {
  readonly #queue = new RecordQueue();
  readonly #groupOf = new Map<Unit, RecordGroup>();
  readonly #lanes = new CommitLanes(() => this.#schedule());
  #isScheduled = false;

  /** @param begin begins a transaction; whoever calls `ended` is told of its end. */
  constructor(
    private readonly begin: () => Promise<MysqlTransaction>,
    private readonly ended: () => void,
  ) {}

  /** Null where there is no such record, or where it is below another: then the unit goes its own way. */
  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    const joined = this.#queue.join(unit, id);
    this.#schedule();
    return joined;
  }

  groupOf(unit: Unit): Pick<RecordGroup, 'finish'> | undefined {
    return this.#groupOf.get(unit);
  }

  /** What arrives in the same moment begins together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#lanes.isFree) {
      const members = this.#queue.take();
      if (members.length === 0) return;
      void this.#lanes.run(async () => {
        await this.#run(members);
        this.#queue.over(members);
      });
    }
  }

  /** Never rejects. */
  async #run(members: readonly Candidate[]): Promise<void> {
    let transaction: MysqlTransaction;
    try {
      transaction = await this.begin();
    } catch (error) {
      for (const { refuse } of members) refuse(error as Error);
      return;
    }
    try {
      const rows = await rowsOf(transaction, members);
      const found = members.filter(({ key }) => rows.has(key));
      const group = new RecordGroup(found.map(({ unit }) => unit));
      for (const { unit } of found) this.#groupOf.set(unit, group);
      const session = new SharedSession(transaction, found.length);
      for (const { key, grant } of members) {
        const row = rows.get(key);
        grant(row ? { session, row } : null);
      }
      await end(transaction, group);
      for (const { unit } of found) this.#groupOf.delete(unit);
    } catch (error) {
      await transaction.rollback();
      for (const { refuse } of members) refuse(toldOf(error, members.length));
    } finally {
      this.ended();
    }
  }
}

const rowsOf = async (
  transaction: MysqlTransaction,
  members: readonly Candidate[],
): Promise<ReadonlyMap<string, LockedRow>> => {
  // In one order, so that two processes do not wait for each other.
  const ids = [...members].sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ id }) => id);
  const rows = await transaction.all<LockedRow>(lockRecords(MYSQL, ids.length), ids);
  return new Map(rows.map((row) => [hexFromSql(row.id), row]));
};

/** Never rejects. */
const end = async (transaction: MysqlTransaction, group: RecordGroup): Promise<void> => {
  const { done, refused, failure } = await group.end;
  const all = [...done, ...refused];
  try {
    if (failure || done.length === 0) await transaction.rollback();
    else await transaction.commitWith(done.map(({ unit }) => unit.inserts));
    for (const { resolve, reject } of all)
      if (failure) reject(failure);
      else resolve();
  } catch (error) {
    for (const { reject } of all) reject(toldOf(error, all.length));
  }
};
