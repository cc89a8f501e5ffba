import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestDatabase } from '../databases/databases.ts';
import { readStored, type Stored } from '../databases/stored-chains.ts';
import { Client } from '../service/world.ts';

/** Callers that notarize without end, and remember what was acknowledged. */
export class Writers {
  /** References of records that were answered with 201. */
  readonly acknowledged = new Set<string>();
  /** How often each status came; 0: no answer. */
  readonly statuses = new Map<number, number>();
  /** What those said that were refused. */
  readonly refusals = new Set<string>();
  private isStopped = false;
  private running: readonly Promise<void>[] = [];

  /**
   * @param pauseMs between two calls of one writer.
   * @param retries how often a call that got no answer, or one with Retry-After, is sent again, under its Idempotency-Key.
   */
  constructor(
    private readonly url: () => string,
    private readonly key: string,
    private readonly pauseMs = 5,
    private readonly criteria: object = { action: 'pay' },
    private readonly retries = 0,
  ) {}

  start(count = 8): this {
    this.isStopped = false;
    this.running = Array.from({ length: count }, () => this.write());
    return this;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  /** Resolves once so many more calls were answered with the status. */
  async see(status: number, more: number, timeoutMs = 60_000): Promise<void> {
    const wanted = this.count(status) + more;
    const deadline = performance.now() + timeoutMs;
    while (this.count(status) < wanted && performance.now() < deadline) await sleep(20);
    expect(this.count(status), this.said()).toBeGreaterThanOrEqual(wanted);
  }

  /** What was answered so far, for the message of a failure. */
  said(): string {
    const counts = [...this.statuses].map(([status, count]) => `${status}: ${count}`);
    return [counts.join(', '), ...this.refusals].join('\n');
  }

  private async write(): Promise<void> {
    while (!this.isStopped) {
      const platformRef = randomUUID();
      const status = await this.notarize(platformRef);
      if (status === 201) this.acknowledged.add(platformRef);
      this.statuses.set(status, this.count(status) + 1);
      await sleep(status === 0 ? 50 : this.pauseMs);
    }
  }

  private async notarize(platformRef: string): Promise<number> {
    const body = { type: 'note', platformRef, criteria: this.criteria };
    for (let tries = 0; ; tries++)
      try {
        const client = new Client(this.url(), this.key);
        const once: Record<string, string> =
          this.retries > 0 ? { 'idempotency-key': platformRef } : {};
        const { status, body: said, headers } = await client.post('/v1/records', body, once);
        if (status !== 201) this.refusals.add(`${status} ${String(said['detail'])}`);
        // The service says itself whether it is to be asked again, as while the first call under the key still runs.
        const again = headers.get('retry-after');
        if (again === null || tries >= this.retries) return status;
        await sleep(1_000 * Number(again));
      } catch {
        if (tries === this.retries) return 0;
        await sleep(50);
      }
  }
}

/** Everything that was acknowledged is stored once, and everything that is stored verifies. */
export const expectAcknowledged = async (
  database: Pick<TestDatabase, 'raw'>,
  acknowledged: ReadonlySet<string>,
): Promise<Stored> => {
  const stored = await readStored(database);
  expect(stored.faults).toEqual([]);
  const lost = [...acknowledged].filter((ref) => stored.countByRef.get(ref) !== 1);
  expect(lost).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(0);
  return stored;
};
