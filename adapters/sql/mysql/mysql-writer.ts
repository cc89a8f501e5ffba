import { setTimeout as sleep } from 'node:timers/promises';
import { CommitLanes, MAX_LANES } from '../commit/commit-lanes.ts';
import {
  ConnectionLostError,
  ContentionError,
  overloaded,
  unavailable,
} from '../base/database-error.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { InsertGate, type Pending } from '../commit/insert-gate.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { MysqlTransaction } from './mysql-transaction.ts';
import { RecordGroups } from './mysql-record-groups.ts';
import { MAX_TRIES, pause } from '../base/retry.ts';
import type { Session } from '../base/session.ts';
import type { Unit } from '../commit/unit.ts';
import { MAX_TURN_MS, type Joined, type UnitWriter } from '../commit/unit-writer.ts';

/** A unit's own transaction. */
interface Own {
  readonly transaction: MysqlTransaction;
  readonly timer: NodeJS.Timeout;
}

/**
 * Units that only insert share transactions and statements, and so do those that begin with the lock of a record; every
 * other unit has its own transaction.
 */
export class MysqlWriter implements UnitWriter {
  readonly #gate = new InsertGate(() => this.#pump());
  readonly #own = new Map<Unit, Own>();
  readonly #places: Places;
  readonly #left = new WeakSet<Unit>();
  readonly #groups = new RecordGroups(
    () => this.#begin(),
    () => this.#places.give(),
  );
  readonly #lanes = new CommitLanes(() => this.#pump());

  /** @param poolSize connections; some are kept free for reads and for the groups. */
  constructor(
    private readonly database: MysqlDatabase,
    poolSize: number,
  ) {
    this.#places = new Places(Math.max(1, poolSize - MAX_LANES - 1));
  }

  entered(): void {
    this.#gate.entered();
  }

  async turn(unit: Unit): Promise<Session> {
    this.#leave(unit);
    const transaction = await this.#begin();
    const timer = setTimeout(() => void this.#lapse(unit), MAX_TURN_MS);
    this.#own.set(unit, { transaction, timer });
    return transaction;
  }

  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    this.#leave(unit);
    return this.#groups.join(unit, id);
  }

  async finish(unit: Unit, succeeded: boolean): Promise<void> {
    await unit.end();
    const group = this.#groups.groupOf(unit);
    if (group) return group.finish(unit, succeeded);
    if (unit.isInteractive) return this.#finishOwn(unit, succeeded);
    if (!succeeded || unit.failure || unit.inserts.isEmpty) {
      this.#leave(unit);
      if (unit.failure) throw unit.failure;
      return;
    }
    return new Promise<void>((resolve, reject) => {
      this.#gate.add({ unit, resolve, reject });
      this.#leave(unit);
    });
  }

  /** Once: a unit that found no group waits no longer with those that only insert either. */
  #leave(unit: Unit): void {
    if (this.#left.has(unit)) return;
    this.#left.add(unit);
    this.#gate.left();
  }

  async #begin(): Promise<MysqlTransaction> {
    await this.#places.take();
    try {
      return await this.database.begin();
    } catch (error) {
      this.#places.give();
      throw error;
    }
  }

  async #finishOwn(unit: Unit, succeeded: boolean): Promise<void> {
    const own = this.#own.get(unit);
    // The unit never got its turn, or its time ran out.
    if (!own) {
      if (unit.failure) throw unit.failure;
      return;
    }
    this.#own.delete(unit);
    clearTimeout(own.timer);
    try {
      if (succeeded && !unit.failure) {
        await own.transaction.commitWith([unit.inserts]);
      } else {
        await own.transaction.rollback();
        if (unit.failure) throw unit.failure;
      }
    } finally {
      this.#places.give();
    }
  }

  /** The unit's work does not come to an end: let go of its locks. */
  async #lapse(unit: Unit): Promise<void> {
    const own = this.#own.get(unit);
    if (!own) return;
    this.#own.delete(unit);
    unit.fail(overloaded(new Error('the unit of work took too long')));
    await unit.idle;
    await own.transaction.rollback();
    this.#places.give();
  }

  #pump(): void {
    while (this.#lanes.isFree && this.#gate.due) {
      const group = this.#gate.take();
      void this.#lanes.run(() => this.#commit(group));
    }
  }

  /** Never rejects. A group that fails is written in halves, unless the server is unreachable. */
  async #commit(group: readonly Pending[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#write(group);
        for (const pending of group) pending.resolve();
        return;
      } catch (error) {
        const tryAgain =
          error instanceof ContentionError
            ? tries < MAX_TRIES
            : error instanceof ConnectionLostError && tries < 2;
        if (tryAgain) {
          await sleep(pause(tries));
          continue;
        }
        if (
          group.length > 1 &&
          !(error instanceof NotaryError) &&
          !(error instanceof ConnectionLostError)
        )
          break;
        const told =
          error instanceof ContentionError
            ? overloaded(error)
            : error instanceof ConnectionLostError
              ? unavailable(error)
              : (error as Error);
        for (const pending of group) pending.reject(told);
        return;
      }
    }
    const half = Math.ceil(group.length / 2);
    await this.#commit(group.slice(0, half));
    await this.#commit(group.slice(half));
  }

  async #write(group: readonly Pending[]): Promise<void> {
    const transaction = await this.database.begin();
    try {
      await transaction.write(group.map(({ unit }) => unit.inserts));
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
    // Apart from the writes, for which a connection may turn out to be gone: then nothing was written, and they are tried
    // again.
    await transaction.commit();
  }
}

/** Admits a limited number at a time, first come, first served. */
class Places {
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  give(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
