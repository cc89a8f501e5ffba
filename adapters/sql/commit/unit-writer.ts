import type { LockedRow } from '../records/locked-row.ts';
import type { Session } from '../base/session.ts';
import type { Unit } from './unit.ts';

/**
 * Writes units to the database. There is one writer for SQLite, where units share transactions, and
 * one for MySQL, where they run in parallel.
 */
export interface UnitWriter {
  /** Before the unit's work starts. */
  entered(unit: Unit): void;
  /** When the unit needs a session for the first time. */
  turn(unit: Unit): Promise<Session>;
  /**
   * Where units that begin with the lock of a record share transactions: that record and the head of its chain, locked.
   * Null where the unit has to lock it by itself.
   */
  join?(unit: Unit, id: Uint8Array): Promise<Joined | null>;
  /**
   * Called after the work of the unit: commits (`succeeded`) or rolls back. Resolves when that is
   * done and durable. Rejects where the unit was not committed, with RunAlone or ContentionError
   * where it should run again.
   */
  finish(unit: Unit, succeeded: boolean): Promise<void>;
}

export interface Joined {
  readonly session: Session;
  readonly row: LockedRow;
}

/**
 * The shared transaction did not commit, and the cause may be another unit: the unit should run
 * again on its own.
 */
export class RunAlone extends Error {
  override readonly name = 'RunAlone';
}

/** The longest that a unit may hold a transaction, ms. Nothing in it waits for anything but its stores and a local signer. */
export const MAX_TURN_MS = 10_000;
