import type {
  RateDecision,
  RateLimiter,
  RateWindow,
} from '../../application/ports/rate-limiter.port.ts';
import { isTighter, secondsLeft, UNLIMITED, WINDOW_MS } from './rate-decision.ts';

const MAX_KEYS = 100_000;

/**
 * The calls of one key within one second of the clock. They leave the window together, when the
 * last of them does.
 */
interface Slot {
  readonly second: number;
  last: number;
  count: number;
}

/** Slots in order of time. A second without a call has no slot, so there are at most 61. */
interface Calls {
  readonly slots: Slot[];
  total: number;
}

/**
 * A sliding window in memory.
 *
 * No library fits. The widely used ones (rate-limiter-flexible, express-rate-limit) count in fixed
 * windows, which let twice the limit through around a boundary. Those with a true sliding window
 * keep a time stamp for each call and cannot ask several windows at once. Here calls are counted by
 * the second, and a second leaves only when all of it is older than the window. So the bound of the
 * port holds strictly, and a call is allowed again at most one second late.
 */
export class SlidingWindowLimiter implements RateLimiter {
  /** In the order of the last new slot, so that idle keys come first. */
  private readonly keys = new Map<string, Calls>();
  private sweptAt = 0;
  readonly isShared = false;

  /**
   * @param now milliseconds of a clock that never goes back.
   * @param maxKeys bounds the memory. Above it the keys that were idle longest are forgotten,
   *   whatever their counts. A flood from very many addresses loosens limits, but does not end the
   *   process.
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly maxKeys = MAX_KEYS,
  ) {}

  hit(key: string, limit: number, cost = 1): RateDecision {
    return this.hitAll([{ key, limit }], cost);
  }

  hitAll(windows: readonly RateWindow[], cost = 1): RateDecision {
    const now = this.time();
    const before = this.decide(windows, cost, now);
    if (!before.allowed) return before;
    for (const window of windows)
      if (window.limit > 0) this.count(window.key, window.cost ?? cost, now);
    // Asked again at no cost, because the headers describe what is left after this call.
    return this.decide(windows, 0, now, true);
  }

  peek(windows: readonly RateWindow[], cost = 1): RateDecision {
    return this.decide(windows, cost, this.time());
  }

  /** How many keys are in memory. */
  get size(): number {
    return this.keys.size;
  }

  /**
   * In whole milliseconds, because sums of fractions would round a call into or out of the window.
   */
  private time(): number {
    return Math.floor(this.now());
  }

  private decide(
    windows: readonly RateWindow[],
    cost: number,
    now: number,
    isCounted = false,
  ): RateDecision {
    let tightest = UNLIMITED;
    for (const window of windows) {
      if (window.limit <= 0) continue;
      const decision = decideOne(
        this.recent(window.key, now),
        window.limit,
        isCounted ? 0 : (window.cost ?? cost),
        now,
      );
      if (tightest === UNLIMITED || isTighter(decision, tightest)) tightest = decision;
    }
    return tightest;
  }

  /** Drops the slots that have left the window. */
  private recent(key: string, now: number): Calls {
    const calls = this.keys.get(key);
    if (!calls) return NO_CALLS;
    while (calls.slots.length > 0 && calls.slots[0]!.last <= now - WINDOW_MS)
      calls.total -= calls.slots.shift()!.count;
    return calls;
  }

  private count(key: string, cost: number, now: number): void {
    const second = Math.floor(now / 1000);
    const calls = this.keys.get(key) ?? { slots: [], total: 0 };
    const slot = calls.slots.at(-1);
    if (slot?.second === second) {
      slot.count += cost;
      slot.last = now;
    } else {
      calls.slots.push({ second, last: now, count: cost });
      this.keys.delete(key);
      this.keys.set(key, calls);
      if (second !== this.sweptAt || this.keys.size > this.maxKeys) this.sweep(second, now);
    }
    calls.total += cost;
  }

  /**
   * Runs rarely and then deletes much at once, because iterating over a Map is slow after many
   * deletions at its front.
   */
  private sweep(second: number, now: number): void {
    this.sweptAt = second;
    const bound = this.keys.size > this.maxKeys ? this.maxKeys * 0.9 : this.maxKeys;
    for (const [key, calls] of this.keys) {
      const idle = calls.slots.length === 0 || calls.slots.at(-1)!.last <= now - WINDOW_MS;
      if (!idle && this.keys.size <= bound) return;
      this.keys.delete(key);
    }
  }
}

const NO_CALLS: Calls = { slots: [], total: 0 };
const decideOne = (
  { slots, total }: Calls,
  limit: number,
  cost: number,
  now: number,
): RateDecision => {
  const allowed = total + cost <= limit;
  const newest = slots.at(-1);
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - total),
    resetSeconds: newest ? secondsLeft(newest.last, now) : 0,
    retryAfterSeconds: allowed ? 0 : untilRoom(slots, total + cost - limit, now),
  };
};

/** The time until `excess` calls have left the window. */
const untilRoom = (slots: readonly Slot[], excess: number, now: number): number => {
  let left = 0;
  for (const slot of slots) {
    left += slot.count;
    if (left >= excess) return secondsLeft(slot.last, now);
  }
  return WINDOW_MS / 1000; // the cost alone is above the limit
};
