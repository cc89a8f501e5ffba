import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../input-error.ts';
import type { ServiceClient } from '../service-client.ts';
import { callOf } from './open-calls.ts';
import { sendFact, type Attempt } from './send-fact.ts';
import type { Spool, Spooled } from './spool.ts';
import { Suspects } from './suspects.ts';
import { Turns } from './turns.ts';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
/** How many facts are kept in memory as well; the others are read from the disk. */
const MAX_FRESH = 64;
/** How often the oldest fact fails before the next one shows whether that is because of the service. */
const TRIES_BEFORE_PROBE = 3;
/** A call and its result, and that of its task. */
const MAX_OF_A_CALL = 4;

/** How many facts are still to be sealed when a wrapper ends, and how many no later run will send. */
export interface Left {
  readonly waiting: number;
  readonly setAside: number;
}

/**
 * Seals what is in the spool, oldest first, and tries again for as long as the service is away. What somebody waits for
 * is sent at once, beside that; a fact at which the service fails while it takes others holds nobody up.
 */
export class Sender {
  /** Names, oldest first, of what nobody waits for. */
  private readonly queue: string[] = [];
  private readonly fresh = new Map<string, Spooled>();
  private readonly waiters = new Map<string, Waiter>();
  /** What somebody waits for, and what ends that. */
  private readonly urgent = new Map<string, AbortController>();
  private readonly turns = new Turns();
  private readonly suspects: Suspects;
  private wake: (() => void) | null = null;
  /** How many were refused and wait for the next run. */
  private kept = 0;
  private setAside = 0;
  /** How many the service took: while this grows, it is there. */
  private taken = 0;
  private awayBecause: string | null = null;
  /** There is a new fact since the last attempt. */
  private isAskedAnew = false;
  /** Of a clock that only goes forward: the service asked for it. */
  private leaveAloneUntil = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly spool: Pick<Spool, 'read' | 'remove' | 'keep' | 'setAside'>,
    private readonly service: Pick<ServiceClient, 'send'>,
    private readonly tell: (sentence: string) => void,
    firstSuspicionMs?: number,
  ) {
    this.suspects = new Suspects((name) => this.append(name), firstSuspicionMs);
  }

  /** Why nothing is sealed; null where something is. */
  get whyAway(): string | null {
    return this.awayBecause;
  }

  /** @param left of earlier runs. */
  start(left: readonly string[]): void {
    this.queue.push(...left);
    this.running = this.run();
  }

  /** Takes one that is in the spool by now. */
  take(name: string, spooled: Spooled): void {
    this.isAskedAnew = true;
    if (this.waiters.has(name)) return void this.sealNow(name, spooled);
    if (this.fresh.size < MAX_FRESH) this.fresh.set(name, spooled);
    this.append(name);
  }

  /** Resolves when it is sealed; asked before it is taken. @throws where the service refuses it for good. */
  sealed(name: string): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.set(name, { resolve, reject }));
  }

  /** Whoever asked waits no longer. */
  forget(name: string): void {
    this.waiters.delete(name);
    const underWay = this.urgent.get(name);
    if (!underWay) return;
    this.urgent.delete(name);
    underWay.abort();
    this.append(name);
  }

  /** @returns what is left after so long. */
  async drain(patienceMs: number): Promise<Left> {
    const deadline = performance.now() + patienceMs;
    const isBusy = (): boolean => this.queue.length > 0 || this.urgent.size > 0;
    // Nothing is sent before the service may be asked again.
    while (isBusy() && performance.now() < deadline && this.leaveAloneUntil < deadline)
      await sleep(10);
    this.stopping.abort();
    for (const underWay of this.urgent.values()) underWay.abort();
    this.suspects.stop();
    this.wake?.();
    await this.running;
    const { queue, urgent, suspects, kept, setAside } = this;
    return { waiting: queue.length + urgent.size + suspects.waiting + kept, setAside };
  }

  private append(name: string): void {
    this.queue.push(name);
    this.wake?.();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const [name] = this.queue;
      if (name === undefined) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        this.wake = null;
      } else if (await this.sealOldest(name)) {
        this.queue.shift();
        this.fresh.delete(name);
      }
    }
  }

  /** Sends what somebody waits for, until it is sealed or nobody waits any more. */
  private async sealNow(name: string, spooled: Spooled): Promise<void> {
    const underWay = new AbortController();
    this.urgent.set(name, underWay);
    const { signal } = underWay;
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const attempt = await this.turns.take(() => this.attempt(spooled, signal));
      // Given up meanwhile: it is in the queue by now.
      if (!this.urgent.has(name) || (await this.isDone(name, attempt))) return;
      await this.pause(wait, signal);
    }
  }

  /** @returns false where it is neither sealed nor refused for good, because there is no more time. */
  private async sealOldest(name: string): Promise<boolean> {
    const spooled = await this.read(name);
    if (!spooled) return true;
    const { signal } = this.stopping;
    let takenBefore = this.suspects.takenAt(name) ?? this.taken;
    for (let tries = 1; !signal.aborted; tries++) {
      const attempt = await this.attempt(spooled, signal);
      if (await this.isDone(name, attempt)) return true;
      const isTried = tries >= TRIES_BEFORE_PROBE || this.suspects.has(name);
      // It failed before and after others were taken: it holds them up no longer.
      if (isTried && this.taken > takenBefore && attempt.is === 'away' && !attempt.isCrowded)
        return this.suspect(name, attempt.why);
      takenBefore = this.taken;
      await this.pause(Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS), signal);
      if (isTried && !signal.aborted) await this.probe(spooled);
    }
    return false;
  }

  /** Tries the next one that is not about the same call: of one call the order stays. */
  private async probe(oldest: Spooled): Promise<void> {
    for (const name of this.queue.slice(1, 1 + MAX_OF_A_CALL)) {
      const spooled = await this.read(name);
      if (spooled && callOf(spooled) === callOf(oldest)) continue;
      const { signal } = this.stopping;
      if (spooled && !(await this.isDone(name, await this.attempt(spooled, signal)))) return;
      this.queue.splice(this.queue.indexOf(name), 1);
      this.fresh.delete(name);
      return;
    }
  }

  /** @returns true: it is out of the way. */
  private async suspect(name: string, why: string): Promise<true> {
    if (this.suspects.failed(name, this.taken)) return true;
    await this.putAside(
      name,
      'failing',
      `the notary takes other facts, and this one never: ${why}`,
    );
    return true;
  }

  private async read(name: string): Promise<Spooled | null> {
    const spooled = this.fresh.get(name) ?? (await this.spool.read(name).catch(() => null));
    if (!spooled) await this.putAside(name, 'refused', 'a fact in the queue cannot be read.');
    return spooled;
  }

  private async attempt(spooled: Spooled, signal: AbortSignal): Promise<Attempt> {
    await this.leftAlone(signal);
    const attempt = await sendFact(this.service, spooled, signal, () =>
      this.tell('the notary does not take what was said: its hash alone is sealed.'),
    );
    if (attempt.is === 'away' && attempt.after > 0)
      this.leaveAloneUntil = performance.now() + attempt.after * 1000;
    return attempt;
  }

  /** @returns whether nothing is to be done about it any more. */
  private async isDone(name: string, attempt: Attempt): Promise<boolean> {
    if (attempt.is === 'away') {
      if (this.stopping.signal.aborted || this.suspects.has(name)) return false;
      if (this.awayBecause === null)
        this.tell(`${attempt.why}; what is not sealed waits on the disk.`);
      this.awayBecause = attempt.why;
      return false;
    }
    this.suspects.forget(name);
    // Before whoever waits for it hears of it, and gives it up.
    this.urgent.delete(name);
    if (attempt.is === 'refused') {
      await this.putAside(name, 'refused', attempt.why);
      return true;
    }
    if (attempt.is === 'kept') {
      // Left where it is. The next run tries again, and what comes behind it does not wait.
      this.kept += 1;
      await this.spool.keep(name).catch(() => undefined);
      this.reject(name, attempt.why);
      return true;
    }
    this.taken += 1;
    if (this.awayBecause !== null) this.tell('the notary is back.');
    this.awayBecause = null;
    try {
      this.spool.remove(name);
    } catch (cause) {
      this.tell(`a sealed fact stays in the queue, and is sent again: ${reasonOf(cause)}`);
    }
    this.waiters.get(name)?.resolve();
    this.waiters.delete(name);
    return true;
  }

  /** For as long as the service asks for. */
  private async leftAlone(signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.leaveAloneUntil - performance.now();
      if (left <= 0 || signal.aborted) return;
      await sleep(left, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Shorter where there is a new fact. */
  private async pause(wait: number, signal: AbortSignal): Promise<void> {
    this.isAskedAnew = false;
    for (let slept = 0; slept < wait && !signal.aborted; slept += FIRST_WAIT_MS) {
      if (this.isAskedAnew) return;
      await sleep(FIRST_WAIT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async putAside(name: string, where: 'refused' | 'failing', why: string): Promise<void> {
    const path = await this.spool.setAside(name, where).catch(() => null);
    if (path === null) this.kept += 1;
    else this.setAside += 1;
    this.reject(name, why, path === null ? '' : ` It is kept in ${path}.`);
  }

  private reject(name: string, why: string, where = ''): void {
    this.tell(`${why}${where}`);
    this.waiters.get(name)?.reject(new Error(why.replace(/\.$/, '')));
    this.waiters.delete(name);
  }
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
