import type { Uuid } from '../../domain/kernel/ids.ts';

/** Deadlines have passed; they take effect first, each in a unit of work of its own, and the work begins again. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';

  constructor(readonly recordIds: readonly Uuid[]) {
    super('a deadline has passed that takes effect first');
  }
}
