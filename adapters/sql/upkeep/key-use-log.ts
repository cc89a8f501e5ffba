import type { KeyUseLog } from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { UnitRunner } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

const INTERVAL = 5_000;
/** Keys in one transaction. */
const BATCH = 100;
/** How many first uses are remembered: more than there are in the second for which a read row is believed. */
const BEGUN = 10_000;

/**
 * The first use of a key is written before the call goes on. Later ones are buffered in memory and written every five
 * seconds. A crash loses at most that much; keys of a failed write are written with the next ones.
 */
export class SqlKeyUseLog implements KeyUseLog {
  #touched = new Map<Uuid, number>();
  /** In the order of their first use. */
  readonly #begun = new Map<Uuid, Promise<boolean>>();
  #writing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  /** @param onError receives the errors of failed writes; nothing is ever thrown. */
  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly onError: (error: unknown) => void,
    interval = INTERVAL,
  ) {
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  begin(keyId: Uuid, at: Date): Promise<boolean> {
    const known = this.#begun.get(keyId);
    if (known) {
      this.touch(keyId, at);
      return known;
    }
    const first = this.#begin(keyId, at.getTime());
    this.#begun.set(keyId, first);
    const forget = (): boolean => this.#begun.delete(keyId);
    first.then((isStored) => isStored || forget(), forget);
    if (this.#begun.size > BEGUN) this.#begun.delete(this.#begun.keys().next().value as Uuid);
    return first;
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

  /** Takes the lock of the row, as a revocation does: one of the two is first, and the other one sees it. */
  #begin(keyId: Uuid, at: number): Promise<boolean> {
    const id = uuidToSql(keyId);
    return this.unitOfWork.run(async (unit) => {
      const changed = await unit.run(
        'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND last_used_at IS NULL AND is_active = 1',
        [at, id],
      );
      if (changed > 0) return true;
      // Without a lock: what is used stays so, and a revoked key is judged by its row a moment later.
      const rows = await unit.all('SELECT 1 AS one FROM api_keys WHERE id = ? AND is_active = 1', [
        id,
      ]);
      return rows.length > 0;
    });
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
