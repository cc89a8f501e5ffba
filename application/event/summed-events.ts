import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { Sums, type Occurrence, type Sum, type SumLimit } from '../ports/sums.ts';

/** What is counted is in the database after so long: a crash loses no more, ms. */
const KEEP_MS = 1_000;

/**
 * Counts what happens too often to be told one by one. Whoever tells of it waits for nothing: the counts are in memory, and
 * once a second those of this process are written to the one row that it has, where TellSums finds them.
 */
export class SummedEvents {
  #fresh: Sums;
  /** The row of this process, and what it says. */
  #row: { readonly id: Uuid; readonly sums: readonly Sum[] } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly limit: SumLimit,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#fresh = new Sums(limit);
  }

  /** Never throws, and never waits. */
  tell({ group, ...last }: Occurrence): void {
    this.#fresh.add({ group, count: 1, firstAt: this.clock.now().toISOString(), last });
    this.#timer ??= setTimeout(() => void this.flush(), KEEP_MS).unref();
  }

  /** Writes what was counted. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const fresh = this.#fresh.all;
    if (fresh.length === 0) return;
    this.#fresh = new Sums(this.limit);
    const row = this.#row;
    const begun = { id: this.ids.next(), sums: fresh };
    const grown = row && {
      id: row.id,
      sums: new Sums(this.limit).addAll(row.sums).addAll(fresh).all,
    };
    try {
      this.#row = await this.unitOfWork.transaction(async ({ eventSums }) => {
        if (grown && (await eventSums.replace(grown.id, grown.sums))) return grown;
        await eventSums.insert({ ...begun, createdAt: this.clock.now().toISOString() });
        return begun;
      });
    } catch (error) {
      this.onError(error);
      this.#fresh = new Sums(this.limit).addAll(fresh).addAll(this.#fresh.all);
      this.#timer ??= setTimeout(() => void this.flush(), KEEP_MS).unref();
    }
  }
}
