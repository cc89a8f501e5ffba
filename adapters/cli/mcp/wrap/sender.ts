import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../input-error.ts';
import {
  awayBecause,
  refusedBy,
  wordsOf,
  type ServiceAnswer,
  type ServiceClient,
} from '../service-client.ts';
import type { Spool, Spooled } from './spool.ts';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
/** How many facts are kept in memory as well; the others are read from the disk. */
const MAX_FRESH = 64;

/** What the service will take later, if nothing else changes. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);
/** What an operator may mend: the key, its scopes, the record type. What is refused so is no less to be sealed. */
const MENDABLE: ReadonlySet<number> = new Set([401, 403, 404]);
/** However long a service, or whoever answers in its place, asks to be left alone. */
const LONGEST_ASKED_S = 300;

/** Seals what is in the spool, oldest first, and tries again for as long as the service is away. */
export class Sender {
  /** Names, oldest first. */
  private readonly queue: string[] = [];
  private readonly fresh = new Map<string, Spooled>();
  private readonly waiters = new Map<string, Waiter>();
  private wake: (() => void) | null = null;
  /** How many were refused and wait for the next run. */
  private kept = 0;
  private isAway = false;
  /** There is a new fact since the last attempt. */
  private isAskedAnew = false;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly spool: Pick<Spool, 'read' | 'remove' | 'keep' | 'setAside'>,
    private readonly service: Pick<ServiceClient, 'send'>,
    private readonly tell: (sentence: string) => void,
  ) {}

  /** @param left of earlier runs. */
  start(left: readonly string[]): void {
    this.queue.push(...left);
    this.running = this.run();
  }

  /** Takes one that is in the spool by now. */
  take(name: string, spooled: Spooled): void {
    this.queue.push(name);
    this.isAskedAnew = true;
    if (this.fresh.size < MAX_FRESH) this.fresh.set(name, spooled);
    this.wake?.();
  }

  /** Resolves when it is sealed; asked before it is taken. @throws where the service refuses it for good. */
  sealed(name: string): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.set(name, { resolve, reject }));
  }

  /** Whoever asked waits no longer. */
  forget(name: string): void {
    this.waiters.delete(name);
  }

  /** @returns how many are left after so long. */
  async drain(patienceMs: number): Promise<number> {
    const deadline = performance.now() + patienceMs;
    while (this.queue.length > 0 && performance.now() < deadline) await sleep(10);
    this.stopping.abort();
    this.wake?.();
    await this.running;
    return this.queue.length + this.kept;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const [name] = this.queue;
      if (name === undefined) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        this.wake = null;
      } else if (await this.seal(name)) {
        this.queue.shift();
        this.fresh.delete(name);
      }
    }
  }

  /** @returns false where it is neither sealed nor refused for good, because there is no more time. */
  private async seal(name: string): Promise<boolean> {
    const spooled = this.fresh.get(name) ?? (await this.spool.read(name).catch(() => null));
    if (!spooled) {
      await this.refused(name, 'a fact in the queue cannot be read.');
      return true;
    }
    const { signal } = this.stopping;
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const after = await this.attempt(name, spooled);
      if (after === null) return true;
      await this.pause(wait, after * 1000);
    }
    return false;
  }

  /** Shorter where somebody waits for a new fact; never shorter than the service asks for. */
  private async pause(wait: number, atLeast: number): Promise<void> {
    const { signal } = this.stopping;
    this.isAskedAnew = false;
    const whole = Math.max(wait, atLeast);
    for (let slept = 0; slept < whole && !signal.aborted; slept += FIRST_WAIT_MS) {
      if (this.isAskedAnew && slept >= atLeast) return;
      await sleep(FIRST_WAIT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns null where it is done, else how many seconds to wait at least. */
  private async attempt(name: string, spooled: Spooled): Promise<number | null> {
    let answer;
    try {
      answer = await this.send(spooled);
      // The hashes are of use without what they are of.
      const bare = REFUSED_CONTENT.has(answer.status) ? withoutContents(spooled) : null;
      if (bare) {
        this.tell('the notary does not take what was said: its hash alone is sealed.');
        answer = await this.send(bare);
      }
    } catch (cause) {
      return this.away(awayBecause(cause));
    }
    const { status, retryAfter } = answer;
    if (status >= 200 && status < 300) {
      if (this.isAway) this.tell('the notary is back.');
      this.isAway = false;
      try {
        this.spool.remove(name);
      } catch (cause) {
        this.tell(`a sealed fact stays in the queue, and is sent again: ${reasonOf(cause)}`);
      }
      this.waiters.get(name)?.resolve();
      this.waiters.delete(name);
      return null;
    }
    const refusal = wordsOf(refusedBy(answer));
    // A 409 is the first request under this key, which still runs.
    if (status >= 500 || status === 409 || PASSING.has(status))
      return this.away(
        `the notary answers ${status}: ${refusal}`,
        Math.min(LONGEST_ASKED_S, retryAfter ?? 0),
      );
    if (MENDABLE.has(status)) {
      // Left where it is. The next run tries again, and what comes behind it does not wait.
      this.kept += 1;
      await this.spool.keep(name).catch(() => undefined);
      this.reject(name, `the notary refuses a fact, which waits for the next run: ${refusal}`);
      return null;
    }
    await this.refused(name, `the notary refuses a fact for good: ${refusal}`);
    return null;
  }

  private send({ key, body }: Spooled): Promise<ServiceAnswer> {
    const headers = { 'idempotency-key': key };
    const { signal } = this.stopping;
    return this.service.send('POST', '/v1/records', JSON.stringify(body), headers, signal);
  }

  private async refused(name: string, why: string): Promise<void> {
    const path = await this.spool.setAside(name).catch(() => null);
    this.reject(name, why, path === null ? '' : ` It is kept in ${path}.`);
  }

  private reject(name: string, why: string, where = ''): void {
    this.tell(`${why}${where}`);
    this.waiters.get(name)?.reject(new Error(why.replace(/\.$/, '')));
    this.waiters.delete(name);
  }

  private away(why: string, after = 0): number {
    if (!this.isAway) this.tell(`${why}; what is not sealed waits on the disk.`);
    this.isAway = true;
    return after;
  }
}

/** An input that is not taken: malformed, too large, or not as the record type has it. */
const REFUSED_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Under a key of its own, for it is another record; null where there are no contents. */
const withoutContents = ({ key, body }: Spooled): Spooled | null => {
  const { criteria } = body as { readonly criteria?: { readonly [member: string]: unknown } };
  if (!criteria || !('arguments' in criteria || 'result' in criteria)) return null;
  const { arguments: _arguments, result: _result, ...bare } = criteria;
  return { key: `${key}-bare`, body: { ...body, criteria: bare } };
};

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
