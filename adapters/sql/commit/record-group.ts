import { ConnectionLostError, overloaded } from '../base/database-error.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { InsertBuffer } from '../base/insert-buffer.ts';
import type { Pending } from './insert-gate.ts';
import type { Change, Session, SqlValue, Table } from '../base/session.ts';
import type { Unit } from './unit.ts';
import { MAX_TURN_MS, RunAlone } from './unit-writer.ts';

/** What a group leaves to whoever ends its transaction. Each of them is settled then. */
export interface GroupEnd {
  /** Units whose writes are to be committed. */
  readonly done: readonly Pending[];
  /** Units that write nothing. What they refused may rest on what a neighbour wrote, so they wait for the end as well. */
  readonly refused: readonly Pending[];
  /** Why the transaction cannot be committed; null where it can. */
  readonly failure: Error | null;
}

/**
 * Units that act on one record each, in one transaction and at the same time. None sees what another writes, since that is
 * deferred to the commit.
 */
export class RecordGroup {
  /** Resolves when every unit is done, or when their time ran out. */
  readonly end: Promise<GroupEnd>;
  readonly #atWork: Set<Unit>;
  readonly #done: Pending[] = [];
  readonly #refused: Pending[] = [];
  #isSpoilt = false;
  #isOver = false;
  readonly #timer: NodeJS.Timeout;
  #tellEnd!: (end: GroupEnd) => void;

  constructor(units: readonly Unit[]) {
    this.end = new Promise((resolve) => (this.#tellEnd = resolve));
    this.#atWork = new Set(units);
    this.#timer = setTimeout(() => void this.#lapse(), MAX_TURN_MS);
    if (units.length === 0) this.#finish(null);
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
    const isWriting = commits && (unit.hasWritten || !unit.inserts.isEmpty);
    const settled = unit.failure
      ? Promise.reject(unit.failure)
      : new Promise<void>((resolve, reject) =>
          (isWriting ? this.#done : this.#refused).push({ unit, resolve, reject }),
        );
    if (this.#atWork.size === 0)
      this.#finish(this.#isSpoilt ? new RunAlone('another unit of the transaction failed') : null);
    return settled;
  }

  #finish(failure: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#tellEnd({ done: this.#done, refused: this.#refused, failure });
  }

  /** The work of a unit does not come to an end: let go of all locks. */
  async #lapse(): Promise<void> {
    if (this.#isOver) return;
    const slow = [...this.#atWork];
    this.#atWork.clear();
    const error = overloaded(new Error('the unit of work took too long'));
    for (const unit of slow) unit.fail(error);
    for (const unit of slow) await unit.idle;
    this.#finish(error);
  }
}

/** The transaction as one unit of several sees it. A statement of another that fails takes it away from all. */
export class SharedSession implements Session {
  constructor(
    private readonly transaction: Session,
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
    return this.#told(
      this.transaction.write?.(buffers) ?? InsertBuffer.write(this.transaction, buffers),
    );
  }

  #told<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw toldOf(error, this.units);
    });
  }
}

/** What a unit hears of an error of a transaction that it shared: where it may be the fault of one, each runs alone. */
export const toldOf = (error: unknown, units: number): Error =>
  units === 1 || error instanceof NotaryError || error instanceof ConnectionLostError
    ? (error as Error)
    : new RunAlone('the shared transaction failed', { cause: error });
