import { innermost } from '../../../domain/kernel/root-cause.ts';
import { MYSQL } from '../mysql/mysql.ts';
import { SQLITE } from '../sqlite/sqlite.ts';

/** Whether the database said that its file, a table or an index is damaged. The numbers of its errors do not overlap. */
export const isDamage = (error: unknown): boolean => {
  const root = innermost(error);
  return [SQLITE, MYSQL].some((dialect) => dialect.classify(root) === 'damaged');
};

/** How long damage is reported after it was met last, ms: nobody reads the damaged page all the time. */
const REPORTED_MS = 3_600_000;

/** Remembers that this process met damage in its database. */
export class DamageWatch {
  #metAt: number | null = null;

  /** @param onFirst is called with the first error, and again if an hour passed without one. */
  constructor(private readonly onFirst: (error: unknown) => void) {}

  get isDamaged(): boolean {
    return this.#metAt !== null && performance.now() - this.#metAt < REPORTED_MS;
  }

  saw(error: unknown): void {
    if (!isDamage(error)) return;
    const isFirst = !this.isDamaged;
    this.#metAt = performance.now();
    if (isFirst) this.onFirst(error);
  }
}
