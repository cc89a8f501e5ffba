import type { Uuid } from '../../domain/kernel/ids.ts';

/** How long a call waits for home before it answers that the step is pending. */
export const HOME_WAIT_MS = 5_000;
/** How often it looks for what another process did. */
const LOOK_MS = 200;

/** Whether home has answered neither way yet, as it is committed. */
export type IsPending = (recordId: Uuid, sequence: number) => Promise<boolean>;

/** Lets the call of a step wait a little for home, so that a caller mostly sees what became of it. */
export class AwaitHome {
  readonly #waiting = new Map<Uuid, Set<() => void>>();

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

  /**
   * @param sequence of the step.
   * @returns whether home answered in time. Where the database does not say, the step counts as pending.
   */
  async until(recordId: Uuid, sequence: number): Promise<boolean> {
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
