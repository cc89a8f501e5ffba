import type { Uuid } from '../../domain/kernel/ids.ts';

/** How long a call waits for home before it answers that the step is pending. */
export const HOME_WAIT_MS = 5_000;
/**
 * How many calls wait for one home at once. Those beyond are told at once that the step is pending: callers of a home that
 * is away must not fill what the service takes at once, and so be in the way of others.
 */
export const WAITING_AT_ONCE = 32;
/** How often it looks for what another process did. */
const LOOK_MS = 200;

/** Whether home has answered neither way yet, as it is committed. */
export type IsPending = (recordId: Uuid, sequence: number) => Promise<boolean>;

/** A step that home is asked for. */
export interface AwaitedStep {
  readonly peerHubId: Uuid;
  /** Of the mirror. */
  readonly recordId: Uuid;
  readonly sequence: number;
}

/** Lets the call of a step wait a little for home, so that a caller mostly sees what became of it. */
export class AwaitHome {
  readonly #waiting = new Map<Uuid, Set<() => void>>();
  readonly #callsOf = new Map<Uuid, number>();

  constructor(
    private readonly isPending: IsPending,
    private readonly waitMs = HOME_WAIT_MS,
  ) {}

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** This process wrote something about the record that came from home. Never throws. */
  moved(recordId: Uuid): void {
    for (const wake of this.#waiting.get(recordId) ?? []) wake();
  }

  /** @returns whether home answered in time. Where the database does not say, the step counts as pending. */
  async until({ peerHubId, recordId, sequence }: AwaitedStep): Promise<boolean> {
    const calls = this.#callsOf.get(peerHubId) ?? 0;
    if (calls >= WAITING_AT_ONCE) return false;
    this.#callsOf.set(peerHubId, calls + 1);
    try {
      return await this.#answered(recordId, sequence);
    } finally {
      const left = this.#callsOf.get(peerHubId)! - 1;
      if (left === 0) this.#callsOf.delete(peerHubId);
      else this.#callsOf.set(peerHubId, left);
    }
  }

  async #answered(recordId: Uuid, sequence: number): Promise<boolean> {
    const deadline = performance.now() + this.waitMs;
    for (;;) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      // Listens before it looks, so that nothing falls between.
      const turn = this.#turn(recordId, Math.min(left, LOOK_MS));
      try {
        if (!(await this.isPending(recordId, sequence))) return true;
        await turn.moved;
      } catch {
        return false;
      } finally {
        turn.end();
      }
    }
  }

  #turn(recordId: Uuid, ms: number): { readonly moved: Promise<void>; end(): void } {
    const waiting = this.#waiting.get(recordId) ?? new Set();
    this.#waiting.set(recordId, waiting);
    let wake!: () => void;
    const moved = new Promise<void>((resolve) => (wake = resolve));
    const timer = setTimeout(wake, ms);
    waiting.add(wake);
    return {
      moved,
      end: () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(recordId);
      },
    };
  }
}
