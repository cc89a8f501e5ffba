import { DuplicateError, RetiredKeyError } from '../../../application/ports/unit-of-work.port.ts';
import type { Transaction } from '../base/database.ts';
import { ContentionError, DatabaseError } from '../base/database-error.ts';
import { InsertBuffer } from '../base/insert-buffer.ts';
import type { Pending } from './insert-gate.ts';

/**
 * Writes the inserts of a group together. Where that fails, it writes them in halves, until the
 * faulty unit is alone.
 */
export const writeMerged = async (
  transaction: Transaction,
  group: readonly Pending[],
  outcomes: Outcome[],
): Promise<void> => {
  if (group.length === 0) return;
  await transaction.savepoint();
  try {
    await InsertBuffer.write(
      transaction,
      group.map(({ unit }) => unit.inserts),
    );
  } catch (error) {
    if (!isOneUnitsFault(error)) throw error;
    await transaction.rollbackToSavepoint();
    if (group.length === 1) {
      outcomes.push({ pending: group[0]!, error: error as Error });
      return;
    }
    const half = Math.ceil(group.length / 2);
    await writeMerged(transaction, group.slice(0, half), outcomes);
    await writeMerged(transaction, group.slice(half), outcomes);
    return;
  }
  await transaction.release();
  for (const pending of group) outcomes.push({ pending, error: null });
};

/** The outcome of a unit inside a transaction that has not committed yet. */
export interface Outcome {
  readonly pending: Pending;
  readonly error: Error | null;
}

export const isOneUnitsFault = (error: unknown): boolean =>
  error instanceof DuplicateError ||
  error instanceof RetiredKeyError ||
  error instanceof DatabaseError ||
  error instanceof ContentionError;
