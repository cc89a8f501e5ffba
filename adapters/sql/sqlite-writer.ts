import { setImmediate } from 'node:timers/promises';
import type { Database, Transaction } from './database.ts';
import { InsertBuffer } from './insert-buffer.ts';
import { InsertGate, type Pending } from './insert-gate.ts';
import type { Session } from './session.ts';
import type { Unit } from './unit.ts';
import { RunAlone, type UnitWriter } from './unit-writer.ts';
import { newTurn, runTurn, type Turn } from './sqlite-turn.ts';
import { isOneUnitsFault, type Outcome, writeMerged } from './merged-inserts.ts';

/**
 * A shared transaction stays short: it takes at most this many reading units, and no new one after
 * this many ms.
 */
const MAX_TURNS = 32;

const MAX_AGE_MS = 20;

/**
 * The single writer of a SQLite file. Each transaction takes the insert-only units that are due,
 * merged, and the waiting units that read, one after the other, each with a savepoint; then all
 * share one commit. No unit is settled before the commit, not even by a refusal, because a refusal
 * may rest on what another unit of the transaction wrote.
 */
export class SqliteWriter implements UnitWriter {
  readonly #gate = new InsertGate(() => this.#wake());
  readonly #waiting: Turn[] = [];
  readonly #turns = new Map<Unit, Turn>();
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
      this.#gate.left();
      this.#wake();
    });
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
    if (!succeeded || unit.inserts.isEmpty) return this.#gate.left();
    return new Promise<void>((resolve, reject) => {
      this.#gate.add({ unit, resolve, reject });
      this.#gate.left();
    });
  }

  #wake(): void {
    if (this.#busy) return;
    this.#busy = true;
    void this.#work();
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    while (this.#gate.due || this.#waiting.length > 0) {
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
    try {
      await writeMerged(transaction, inserts, outcomes);
      const began = performance.now();
      while (
        this.#waiting.length > 0 &&
        turns.length < MAX_TURNS &&
        performance.now() - began < MAX_AGE_MS
      ) {
        if (this.#waiting[0]!.unit.alone && inserts.length + turns.length > 0) break;
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
      return this.#runAgain(inserts, turns, error as Error);
    }
    try {
      await transaction.commit();
    } catch (error) {
      return this.#runAgain(inserts, turns, error as Error);
    }
    settle(outcomes);
  }

  /**
   * The transaction as a whole did not commit. Where the reason may be the fault of one unit, each
   * unit runs again on its own.
   */
  async #runAgain(
    inserts: readonly Pending[],
    turns: readonly Turn[],
    error: Error,
  ): Promise<void> {
    const all = [...inserts, ...turns];
    if (!isOneUnitsFault(error) || all.length === 1) {
      for (const pending of all) pending.reject(error);
      return;
    }
    for (const turn of turns)
      turn.reject(new RunAlone('the shared transaction failed', { cause: error }));
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

const settle = (outcomes: readonly Outcome[]): void => {
  for (const { pending, error } of outcomes) {
    if (error) pending.reject(error);
    else pending.resolve();
  }
};
