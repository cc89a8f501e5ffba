import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction } from '../base/database.ts';
import { InsertBuffer } from '../base/insert-buffer.ts';
import { InsertGate, type Pending } from '../commit/insert-gate.ts';
import type { GroupEnd } from '../commit/record-group.ts';
import type { Session } from '../base/session.ts';
import { SqliteRecordGroups } from './sqlite-record-groups.ts';
import type { Unit } from '../commit/unit.ts';
import { RunAlone, type Joined, type UnitWriter } from '../commit/unit-writer.ts';
import { newTurn, runTurn, type Turn } from './sqlite-turn.ts';
import { isOneUnitsFault, type Outcome, writeMerged } from '../commit/merged-inserts.ts';

/**
 * A shared transaction stays short: it takes at most this many reading units, and no new one after
 * this many ms.
 */
const MAX_TURNS = 32;

const MAX_AGE_MS = 20;

/**
 * The single writer of a SQLite file. Each transaction takes the insert-only units that are due, merged; then the units that
 * act on one record each, at the same time and merged as well; then the other units that read, one after the other, each with
 * a savepoint. All share one commit. No unit is settled before the commit, not even by a refusal, because a refusal may rest
 * on what another unit of the transaction wrote.
 */
export class SqliteWriter implements UnitWriter {
  readonly #gate = new InsertGate(() => this.#wake());
  readonly #waiting: Turn[] = [];
  readonly #turns = new Map<Unit, Turn>();
  readonly #groups = new SqliteRecordGroups();
  readonly #left = new WeakSet<Unit>();
  #busy = false;

  constructor(private readonly database: Database) {}

  entered(): void {
    this.#gate.entered();
  }

  turn(unit: Unit): Promise<Session> {
    return new Promise<Session>((grant, refuse) => {
      const turn = newTurn(unit, grant, refuse);
      this.#turns.set(unit, turn);
      this.#waiting.push(turn);
      this.#leave(unit);
      this.#wake();
    });
  }

  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    const joined = this.#groups.join(unit, id);
    this.#leave(unit);
    // What arrives in the same moment begins together.
    if (!this.#busy) void setImmediate().then(() => this.#wake());
    return joined;
  }

  async finish(unit: Unit, succeeded: boolean): Promise<void> {
    const turn = this.#turns.get(unit);
    if (turn) {
      await unit.end();
      this.#turns.delete(unit);
      turn.end(succeeded);
      return turn.settled;
    }
    await unit.end();
    const group = this.#groups.groupOf(unit);
    if (group) return group.finish(unit, succeeded);
    if (unit.failure) throw unit.failure;
    if (!succeeded || unit.inserts.isEmpty) return this.#leave(unit);
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

  #wake(): void {
    if (this.#busy) return;
    this.#busy = true;
    void this.#work();
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    while (this.#gate.due || this.#waiting.length > 0 || this.#groups.areWaiting) {
      await this.#shared();
      // SQLite answers synchronously, so without this pause a busy writer would starve timers and
      // sockets.
      await setImmediate();
    }
    this.#busy = false;
  }

  async #shared(): Promise<void> {
    let transaction: Transaction;
    try {
      transaction = await this.database.begin();
    } catch (error) {
      for (const pending of this.#gate.take()) pending.reject(error as Error);
      this.#groups.refuse(error as Error);
      for (const turn of this.#waiting.splice(0)) {
        turn.refuse(error as Error);
        turn.reject(error as Error);
      }
      return;
    }
    const isAlone = this.#waiting[0]?.unit.alone === true;
    const inserts = this.#gate.due && !isAlone ? this.#gate.take() : [];
    const turns: Turn[] = [];
    const outcomes: Outcome[] = [];
    let group = NOBODY;
    try {
      await writeMerged(transaction, inserts, outcomes);
      if (!isAlone) group = await this.#groups.run(transaction);
      if (group.failure) {
        await transaction.rollback();
        for (const { reject } of [...group.done, ...group.refused]) reject(group.failure);
        for (const pending of inserts) await this.#alone(pending);
        return;
      }
      await writeTogether(transaction, group, outcomes);
      const began = performance.now();
      while (
        this.#waiting.length > 0 &&
        turns.length < MAX_TURNS &&
        performance.now() - began < MAX_AGE_MS
      ) {
        if (this.#waiting[0]!.unit.alone && outcomes.length > 0) break;
        const turn = this.#waiting.shift()!;
        turns.push(turn);
        outcomes.push({ pending: turn, error: await runTurn(transaction, turn) });
        if (isAlone) break;
      }
      // Units that became ready while the others ran share the commit.
      if (inserts.length === 0 && this.#gate.due && !isAlone) {
        inserts.push(...this.#gate.take());
        await writeMerged(transaction, inserts, outcomes);
      }
    } catch (error) {
      await transaction.rollback();
      return this.#runAgain(inserts, [...turns, ...group.done, ...group.refused], error as Error);
    }
    try {
      await transaction.commit();
    } catch (error) {
      return this.#runAgain(inserts, [...turns, ...group.done, ...group.refused], error as Error);
    }
    settle(outcomes);
  }

  /**
   * The transaction as a whole did not commit. Where the reason may be the fault of one unit, each
   * unit runs again on its own.
   */
  async #runAgain(
    inserts: readonly Pending[],
    others: readonly Pending[],
    error: Error,
  ): Promise<void> {
    const all = [...inserts, ...others];
    if (!isOneUnitsFault(error) || all.length === 1) {
      for (const pending of all) pending.reject(error);
      return;
    }
    for (const { reject } of others)
      reject(new RunAlone('the shared transaction failed', { cause: error }));
    for (const pending of inserts) await this.#alone(pending);
  }

  async #alone(pending: Pending): Promise<void> {
    try {
      const transaction = await this.database.begin();
      try {
        await InsertBuffer.write(transaction, [pending.unit.inserts]);
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
      await transaction.commit();
    } catch (error) {
      return pending.reject(error as Error);
    }
    pending.resolve();
  }
}

const NOBODY: GroupEnd = { done: [], refused: [], failure: null };

/** What units that acted at the same time leave. Where that fails, each of them runs again on its own. */
const writeTogether = async (
  transaction: Transaction,
  { done, refused }: GroupEnd,
  outcomes: Outcome[],
): Promise<void> => {
  const buffers = done.map(({ unit }) => unit.inserts);
  if (buffers.length > 0) await InsertBuffer.write(transaction, buffers);
  for (const pending of [...done, ...refused]) outcomes.push({ pending, error: null });
};

const settle = (outcomes: readonly Outcome[]): void => {
  for (const { pending, error } of outcomes) {
    if (error) pending.reject(error);
    else pending.resolve();
  }
};
