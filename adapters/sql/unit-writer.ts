import type { Session } from './session.ts';
import type { Unit } from './unit.ts';

/** Takes units to the database. One for SQLite, where units share transactions; one for MySQL, where they run side by side. */
export interface UnitWriter {
  /** Before the unit's work starts. */
  entered(unit: Unit): void;
  /** When the unit needs a session for the first time. */
  turn(unit: Unit): Promise<Session>;
  /**
   * After the unit's work: commits (`succeeded`) or rolls back. Resolves when that is done and durable; rejects
   * where the unit was not committed, with RunAlone or ContentionError where it should run again.
   */
  finish(unit: Unit, succeeded: boolean): Promise<void>;
}

/** The transaction that the unit shared did not commit, and the fault may be another's: run it again by itself. */
export class RunAlone extends Error {
  override readonly name = 'RunAlone';
}

/** The longest that a unit may hold a transaction, ms. Nothing in it waits for anything but its stores and a local signer. */
export const MAX_TURN_MS = 10_000;
