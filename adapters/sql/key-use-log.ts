import type { KeyUseLog } from '../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { SqlUnitOfWork } from './unit-of-work.ts';
import { uuidToSql } from './values.ts';

const INTERVAL = 5_000;
/** Keys in one transaction. */
const BATCH = 100;

/**
 * Buffers in memory and writes every five seconds. A crash loses at most that much; keys of a
 * failed write are written with the next ones.
 */
export class SqlKeyUseLog implements KeyUseLog {
  #touched = new Map<Uuid, number>();
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  /** @param onError receives the errors of failed writes; nothing is ever thrown. */
  constructor(
    private readonly unitOfWork: SqlUnitOfWork,
    private readonly onError: (error: unknown) => void,
    interval = INTERVAL,
  ) {
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  touch(keyId: Uuid, at: Date): void {
    const time = at.getTime();
    if (time > (this.#touched.get(keyId) ?? -Infinity)) this.#touched.set(keyId, time);
  }

  /** Writes the buffered keys. Never rejects. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Stops the timer and writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const touched = [...this.#touched];
    this.#touched = new Map();
    for (let from = 0; from < touched.length; from += BATCH) {
      const batch = touched.slice(from, from + BATCH);
      try {
        await this.unitOfWork.run(async (unit) => {
          for (const [keyId, at] of batch)
            await unit.run(
              'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
              [at, uuidToSql(keyId), at],
            );
        });
      } catch (error) {
        for (const [keyId, at] of batch) this.touch(keyId, new Date(at));
        this.onError(error);
        return;
      }
    }
  }
}
