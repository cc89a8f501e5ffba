import type {
  RateDecision,
  RateLimiter,
  RateWindow,
  SharedLimits,
} from '../../application/ports/rate-limiter.port.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { RedisWindow } from './redis-window.ts';
import type { SlidingWindowLimiter } from './sliding-window.ts';

/** A connection to the store of the counts. */
export interface LimitStore {
  readonly window: Pick<RedisWindow, 'ask'>;
  /** Rejects where the store cannot be reached; may hang. */
  ping(): Promise<void>;
  /** Ends the connection, and makes another one. */
  renew(): void;
  close(): void;
}

export interface SharedTimes {
  /** The longest that a call waits for the store. */
  readonly timeoutMs: number;
  /** How often the store is asked whether it is there, and how long that may take. */
  readonly probeMs: number;
  /** After so long without an answer a connection is taken for dead. */
  readonly deadMs: number;
}

const TIMES: SharedTimes = { timeoutMs: 50, probeMs: 250, deadMs: 2_000 };

/**
 * Limits that several nodes share. What is allowed counts here too, so the counts of this process are always a part of
 * the shared ones: where they refuse, nobody else need be asked, and when the store is away they go on from where they
 * are. The first answer that does not come in time, or any fault, opens a breaker: those that wait are decided here at
 * once, and nobody waits any more until a ping was answered.
 */
export class SharedLimiter implements RateLimiter, SharedLimits {
  readonly isShared = true;
  /** Until the first ping was answered as well. */
  private away = true;
  private store: LimitStore | null = null;
  private probe: NodeJS.Timeout | null = null;
  private isProbing = false;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly local: SlidingWindowLimiter,
    private readonly connect: () => Promise<LimitStore>,
    private readonly log: Log,
    private readonly times: SharedTimes = TIMES,
  ) {}

  get isAway(): boolean {
    return this.away;
  }

  /** Resolves when the store answered, or is known to be away. */
  async start(): Promise<void> {
    this.store = await this.connect();
    this.probe = setInterval(() => void this.look(), this.times.probeMs).unref();
    const begun = performance.now();
    while (this.away && performance.now() - begun < this.times.deadMs) {
      await Promise.race([this.look(), after(this.times.probeMs)]);
      if (this.away) await after(20);
    }
    if (this.away) this.tellAway('it did not answer at the start');
  }

  stop(): void {
    if (this.probe) clearInterval(this.probe);
    this.away = true;
    this.release();
    this.store?.close();
    this.store = null;
  }

  hitAll(windows: readonly RateWindow[], cost = 1): RateDecision | Promise<RateDecision> {
    const { store } = this;
    if (this.away || !store) return this.local.hitAll(windows, cost);
    const here = this.local.peek(windows, cost);
    if (!here.allowed || here.limit === 0) return here;
    return this.ask(store, windows, cost, true).then((shared) => {
      if (!shared || shared.allowed) {
        const counted = this.local.hitAll(windows, cost);
        return shared ?? counted;
      }
      return shared;
    });
  }

  peek(windows: readonly RateWindow[], cost = 1): RateDecision | Promise<RateDecision> {
    const { store } = this;
    const here = this.local.peek(windows, cost);
    if (this.away || !store || !here.allowed || here.limit === 0) return here;
    return this.ask(store, windows, cost, false).then((shared) => shared ?? here);
  }

  /** Null where the store is away. */
  private ask(
    store: LimitStore,
    windows: readonly RateWindow[],
    cost: number,
    isCounted: boolean,
  ): Promise<RateDecision | null> {
    return new Promise((resolve) => {
      const end = (decision: RateDecision | null): void => {
        late.cancel();
        this.waiting.delete(giveUp);
        resolve(decision);
      };
      const giveUp = (): void => end(null);
      const { timeoutMs } = this.times;
      const late = inTurn(timeoutMs, () => this.open(`no answer in ${timeoutMs} ms`));
      this.waiting.add(giveUp);
      store.window.ask(windows, cost, isCounted).then(end, (error: unknown) => {
        this.open(reasonOf(error));
        end(null);
      });
    });
  }

  private open(reason: string): void {
    if (this.away) return;
    this.away = true;
    this.tellAway(reason);
    this.release();
  }

  private close(): void {
    if (!this.away) return;
    this.away = false;
    this.log.info({}, 'the store of shared rate limits answers');
  }

  private tellAway(reason: string): void {
    this.log.warn(
      { reason },
      'the store of shared rate limits is away: each node counts for itself until it is back',
    );
  }

  private release(): void {
    for (const giveUp of [...this.waiting]) giveUp();
  }

  /** One ping at a time, also while all is well: who has no callers notices too. A connection that stays silent is renewed. */
  private async look(): Promise<void> {
    const { store } = this;
    if (this.isProbing || !store) return;
    this.isProbing = true;
    const { probeMs, deadMs } = this.times;
    const late = inTurn(probeMs, () => this.open(`no answer to a ping in ${probeMs} ms`));
    const dead = inTurn(deadMs, () => store.renew());
    try {
      await store.ping();
      if (this.store === store) this.close();
    } catch (error) {
      this.open(reasonOf(error));
    } finally {
      late.cancel();
      dead.cancel();
      this.isProbing = false;
    }
  }
}

/** After the time, and only if it was not cancelled by what arrived while this process was busy. */
const inTurn = (ms: number, act: () => void): { cancel(): void } => {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(act);
  }, ms);
  return {
    cancel: () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
