import type { CallersWait } from '../call/calls-under-way.ts';

/** Requests a second of this process while callers are waiting: more than any promise, and little of a processor. */
const BESIDE_CALLERS = 600;
/** What was not used of the last moment may leave at once, ms: a timer comes late, and the rate is to be reached all the same. */
const BURST_MS = 50;

/** Deliveries leave as fast as receivers take them while nobody calls, and at a steady rate beside callers. */
export class DeliveryPace {
  #next = 0;

  constructor(
    private readonly callersWait: CallersWait,
    private readonly now = () => performance.now(),
  ) {}

  /** Resolves when one more request may leave. */
  async turn(): Promise<void> {
    if (!this.callersWait()) return;
    const now = this.now();
    const at = Math.max(this.#next, now - BURST_MS);
    this.#next = at + 1_000 / BESIDE_CALLERS;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}
