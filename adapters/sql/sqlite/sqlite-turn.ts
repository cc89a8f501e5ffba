import type { Transaction } from '../base/database.ts';
import { overloaded } from '../base/database-error.ts';
import type { Pending } from '../commit/insert-gate.ts';
import type { Session } from '../base/session.ts';
import type { Unit } from '../commit/unit.ts';
import { MAX_TURN_MS } from '../commit/unit-writer.ts';
import { isOneUnitsFault } from '../commit/merged-inserts.ts';

/** A unit that waits for its turn, or that has it. */
export interface Turn extends Pending {
  readonly grant: (session: Session) => void;
  readonly refuse: (error: Error) => void;
  readonly settled: Promise<void>;
  /** Resolved by `finish` with whether the work succeeded. */
  readonly ended: Promise<boolean>;
  readonly end: (succeeded: boolean) => void;
}

export const newTurn = (
  unit: Unit,
  grant: (session: Session) => void,
  refuse: (error: Error) => void,
): Turn => {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  let end!: (succeeded: boolean) => void;
  const settled = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]));
  const ended = new Promise<boolean>((yes) => (end = yes));
  // Nobody listens to the settlement of a unit whose work never ends.
  settled.catch(() => undefined);
  return { unit, grant, refuse, settled, resolve, reject, ended, end };
};

/**
 * Gives the unit its turn and waits for the end of its work. Resolves with the error, or with null.
 */
export const runTurn = async (transaction: Transaction, turn: Turn): Promise<Error | null> => {
  const { unit } = turn;
  await transaction.savepoint();
  let timer: NodeJS.Timeout | undefined;
  const lapse = new Promise<'lapsed'>((resolve) => {
    timer = setTimeout(() => resolve('lapsed'), MAX_TURN_MS);
  });
  turn.grant(transaction);
  const end = await Promise.race([turn.ended, lapse]);
  clearTimeout(timer);
  if (end === 'lapsed') unit.fail(overloaded(new Error('the unit of work took too long')));
  if (end === true && !unit.failure) {
    try {
      await unit.flush(transaction);
      await transaction.release();
      return null;
    } catch (error) {
      if (!isOneUnitsFault(error)) throw error;
      unit.fail(error as Error);
    }
  }
  await transaction.rollbackToSavepoint();
  return unit.failure;
};
