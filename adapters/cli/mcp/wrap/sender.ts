import { setTimeout as sleep } from 'node:timers/promises';
import { awayBecause, refusedBy, wordsOf, type ServiceClient } from '../service-client.ts';
import type { Spool } from './spool.ts';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/** What the service will take later, if nothing else changes. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Seals what is in the spool, oldest first, and tries again for as long as the service is away. */
export class Sender {
  private readonly waiters = new Map<string, PromiseWithResolversOf<void>>();
  private wake: (() => void) | null = null;
  private hasMore = true;
  private isAway = false;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly spool: Spool,
    private readonly service: Pick<ServiceClient, 'send'>,
    private readonly tell: (sentence: string) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** There is more in the spool. */
  kick(): void {
    this.hasMore = true;
    this.wake?.();
  }

  /** Resolves when it is sealed. @throws where the service refuses it for good. */
  sealed(name: string): Promise<void> {
    const waiter = withResolvers<void>();
    // Whoever waits no longer is not to end the process.
    waiter.promise.catch(() => undefined);
    this.waiters.set(name, waiter);
    return waiter.promise;
  }

  /** @returns how many are left after so long. */
  async drain(patienceMs: number): Promise<number> {
    const deadline = performance.now() + patienceMs;
    this.kick();
    while ((await this.spool.waiting()).length > 0 && performance.now() < deadline) await sleep(20);
    this.stopping.abort();
    this.wake?.();
    await this.running;
    return (await this.spool.waiting()).length;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!this.hasMore) await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = null;
      this.hasMore = false;
      for (const name of await this.spool.waiting()) {
        await this.seal(name);
        if (signal.aborted) return;
      }
    }
  }

  /** Until it is sealed, or refused for good. */
  private async seal(name: string): Promise<void> {
    const spooled = await this.spool.read(name).catch(() => null);
    if (!spooled) return this.unreadable(name);
    const { key, body } = spooled;
    const { signal } = this.stopping;
    const text = JSON.stringify(body);
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const after = await this.attempt(name, key, text);
      if (after === null) return;
      await sleep(Math.max(wait, after * 1000), undefined, { signal }).catch(() => undefined);
    }
  }

  private async unreadable(name: string): Promise<void> {
    const path = await this.spool.setAside(name).catch(() => name);
    this.tell(`a fact in the queue cannot be read: it is kept in ${path}.`);
  }

  /** @returns null where it is done, else how many seconds to wait at least. */
  private async attempt(name: string, key: string, body: string): Promise<number | null> {
    let answer;
    try {
      const headers = { 'idempotency-key': key };
      const { signal } = this.stopping;
      answer = await this.service.send('POST', '/v1/records', body, headers, signal);
    } catch (cause) {
      return this.away(awayBecause(cause));
    }
    const { status, retryAfter } = answer;
    if (status >= 200 && status < 300) {
      if (this.isAway) this.tell('the notary is back.');
      this.isAway = false;
      await this.spool.remove(name);
      this.settle(name, (waiter) => waiter.resolve());
      return null;
    }
    const refused = wordsOf(refusedBy(answer));
    // A 409 is the first request under this key, which still runs.
    if (status >= 500 || status === 409 || PASSING.has(status))
      return this.away(`the notary answers ${status}: ${refused}`, retryAfter ?? 0);
    const path = await this.spool.setAside(name);
    this.tell(`the notary refuses a fact for good: ${refused} It is kept in ${path}.`);
    this.settle(name, (waiter) => waiter.reject(new Error(`the notary refuses it: ${refused}`)));
    return null;
  }

  private away(why: string, after = 0): number {
    if (!this.isAway) this.tell(`${why}; what is not sealed waits on the disk.`);
    this.isAway = true;
    return after;
  }

  private settle(name: string, how: (waiter: PromiseWithResolversOf<void>) => void): void {
    const waiter = this.waiters.get(name);
    this.waiters.delete(name);
    if (waiter) how(waiter);
  }
}

interface PromiseWithResolversOf<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

const withResolvers = <T>(): PromiseWithResolversOf<T> => {
  const made: { resolve?: (value: T) => void; reject?: (error: Error) => void } = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return { promise, resolve: made.resolve!, reject: made.reject! };
};
