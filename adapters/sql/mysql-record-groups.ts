import { ConnectionLostError, overloaded } from './database-error.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { InsertBuffer } from './insert-buffer.ts';
import type { MysqlTransaction } from './mysql-transaction.ts';
import { lockRecords, type LockedRow } from './rows/locked-row.ts';
import type { Change, Session, SqlValue, Table } from './session.ts';
import type { Unit } from './unit.ts';
import { MAX_TURN_MS, RunAlone, type Joined } from './unit-writer.ts';
import { hexFromSql } from './values.ts';

/** Groups under way at a time: one reads while the other reaches the disk. */
const MAX_GROUPS = 2;
const MAX_MEMBERS = 32;

/** A unit that waits for its record. */
interface Candidate {
  readonly unit: Unit;
  readonly id: Uint8Array;
  readonly key: string;
  readonly grant: (joined: Joined | null) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Units that begin with the lock of a record share transactions, as long as their records are different ones. Their locks
 * are taken by one statement, what they read at the same time goes in one message, and all that they write goes in one more,
 * with the commit. None sees what another writes, since that is deferred. Where the shared commit fails, each runs again
 * alone.
 */
export class RecordGroups {
  readonly #waiting: Candidate[] = [];
  /** Records that a group of this process holds: no other group is to wait for them. */
  readonly #held = new Set<string>();
  readonly #groupOf = new Map<Unit, RecordGroup>();
  #running = 0;
  #isScheduled = false;

  /** @param begin begins a transaction; whoever calls `ended` is told of its end. */
  constructor(
    private readonly begin: () => Promise<MysqlTransaction>,
    private readonly ended: () => void,
  ) {}

  /** Null where there is no such record, or where it is below another: then the unit goes its own way. */
  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    return new Promise((grant, refuse) => {
      this.#waiting.push({ unit, id, key: hexFromSql(id), grant, refuse });
      this.#schedule();
    });
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
    while (this.#running < MAX_GROUPS) {
      const members = this.#take();
      if (members.length === 0) return;
      this.#running++;
      void this.#run(members).finally(() => {
        this.#running--;
        for (const { key } of members) this.#held.delete(key);
        this.#schedule();
      });
    }
  }

  /** Those that waited longest, each with a record of its own. */
  #take(): readonly Candidate[] {
    const members: Candidate[] = [];
    for (let at = 0; at < this.#waiting.length && members.length < MAX_MEMBERS;) {
      const candidate = this.#waiting[at]!;
      if (this.#held.has(candidate.key)) at++;
      else {
        this.#held.add(candidate.key);
        members.push(candidate);
        this.#waiting.splice(at, 1);
      }
    }
    return members;
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
      const group = new RecordGroup(transaction, found);
      for (const { unit } of found) this.#groupOf.set(unit, group);
      const session = new SharedSession(transaction, found.length);
      for (const { key, grant } of members) {
        const row = rows.get(key);
        grant(row ? { session, row } : null);
      }
      await group.end;
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
  const rows = await transaction.all<LockedRow>(lockRecords(ids.length), ids);
  return new Map(rows.map((row) => [hexFromSql(row.id), row]));
};

/** A unit of the group that is done, and waits for the commit. */
interface Done {
  readonly unit: Unit;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class RecordGroup {
  /** Resolves when the transaction is over. */
  readonly end: Promise<void>;
  readonly #atWork: Set<Unit>;
  readonly #done: Done[] = [];
  #isSpoilt = false;
  #isOver = false;
  readonly #timer: NodeJS.Timeout;
  #tellEnd!: () => void;

  constructor(
    private readonly transaction: MysqlTransaction,
    members: readonly Candidate[],
  ) {
    this.end = new Promise((resolve) => (this.#tellEnd = resolve));
    this.#atWork = new Set(members.map(({ unit }) => unit));
    this.#timer = setTimeout(() => void this.#lapse(), MAX_TURN_MS);
    if (members.length === 0) void this.#settle();
  }

  /** As that of a writer. */
  async finish(unit: Unit, succeeded: boolean): Promise<void> {
    if (!this.#atWork.delete(unit)) {
      // Its time ran out.
      throw unit.failure ?? overloaded(new Error('the unit of work took too long'));
    }
    const commits = succeeded && !unit.failure;
    // What it wrote already cannot be taken back alone.
    if (!commits && unit.hasWritten) this.#isSpoilt = true;
    const settled =
      commits && (unit.hasWritten || !unit.inserts.isEmpty)
        ? new Promise<void>((resolve, reject) => this.#done.push({ unit, resolve, reject }))
        : Promise.resolve();
    if (this.#atWork.size === 0) void this.#settle();
    if (unit.failure) throw unit.failure;
    return settled;
  }

  /** Never rejects. */
  async #settle(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const done = this.#done;
    try {
      if (done.length === 0 || this.#isSpoilt) await this.transaction.rollback();
      else await this.transaction.commitWith(done.map(({ unit }) => unit.inserts));
      for (const { resolve, reject } of done)
        if (this.#isSpoilt) reject(new RunAlone('another unit of the transaction failed'));
        else resolve();
    } catch (error) {
      for (const { reject } of done) reject(toldOf(error, done.length));
    }
    this.#tellEnd();
  }

  /** The work of a unit does not come to an end: let go of all locks. */
  async #lapse(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const slow = [...this.#atWork];
    this.#atWork.clear();
    const error = overloaded(new Error('the unit of work took too long'));
    for (const unit of slow) unit.fail(error);
    for (const unit of slow) await unit.idle;
    await this.transaction.rollback();
    for (const { reject } of this.#done) reject(error);
    this.#tellEnd();
  }
}

/** The transaction as one unit of several sees it. A statement of another that fails takes it away from all. */
class SharedSession implements Session {
  constructor(
    private readonly transaction: MysqlTransaction,
    private readonly units: number,
  ) {}

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#told(this.transaction.all<Row>(sql, values));
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return this.#told(this.transaction.run(sql, values));
  }

  insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    return this.#told(this.transaction.insert(table, rows));
  }

  change(change: Change): Promise<void> {
    return this.#told(this.transaction.change(change));
  }

  write(buffers: readonly InsertBuffer[]): Promise<void> {
    return this.#told(this.transaction.write(buffers));
  }

  #told<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw toldOf(error, this.units);
    });
  }
}

/** What a unit hears of an error of a transaction that it shared: where it may be the fault of one, each runs alone. */
const toldOf = (error: unknown, units: number): Error =>
  units === 1 || error instanceof NotaryError || error instanceof ConnectionLostError
    ? (error as Error)
    : new RunAlone('the shared transaction failed', { cause: error });
