import type { WriteRefusal } from '../../../application/operations/check-health.ts';
import { innermost } from '../../../domain/kernel/root-cause.ts';
import type { Database } from '../base/database.ts';
import type { DamageWatch } from './damage.ts';
import { Timely } from '../base/timely.ts';

/** A small change still fits on a disk that has no room for a record, so a trial writes as much as a large call, bytes. */
const TRIAL_BYTES = 2 ** 20;
/** The time from the end of one trial to the next one, ms. */
const TRIAL_EVERY_MS = 2_000;
/** How long a caller waits for a trial that is under way, ms. */
const WITHIN_MS = 200;

/**
 * Whether this process can write to the database. A unit that is refused for want of room, or because the database accepts
 * reads only, makes it say so. The next unit that leaves an event behind takes it back. While no caller writes, a trial does.
 */
export class WriteWatch {
  #refusal: WriteRefusal | null = null;
  #triedAt = -Infinity;
  readonly #trial: Timely<void>;

  constructor(
    private readonly database: Database,
    private readonly damage: Pick<DamageWatch, 'isDamaged' | 'saw'>,
  ) {
    this.#trial = new Timely(() => this.#try(), WITHIN_MS);
  }

  /** Damage stays, whatever a trial could write elsewhere. */
  get isDamaged(): boolean {
    return this.damage.isDamaged;
  }

  failed(error: unknown): void {
    this.damage.saw(error);
    this.#refusal = this.#refusalOf(error) ?? this.#refusal;
  }

  succeeded(): void {
    this.#refusal = null;
  }

  /**
   * Null if the database takes writes, as far as this process knows.
   *
   * @param isSuspected tries even if this process was refused nothing.
   */
  async refusal(isSuspected: boolean): Promise<WriteRefusal | null> {
    if (this.isDamaged) return 'database_damaged';
    if (this.#refusal !== null || isSuspected) await this.#trial.take().catch(() => undefined);
    return this.#refusal;
  }

  async #try(): Promise<void> {
    if (performance.now() - this.#triedAt < TRIAL_EVERY_MS) return;
    try {
      await this.database.tryWrite(TRIAL_BYTES);
      this.succeeded();
    } catch (error) {
      this.failed(error);
    }
    this.#triedAt = performance.now();
  }

  #refusalOf(error: unknown): WriteRefusal | null {
    const failure = this.database.dialect.classify(innermost(error));
    return failure === 'full' ? 'disk_full' : failure === 'read-only' ? 'database_read_only' : null;
  }
}
