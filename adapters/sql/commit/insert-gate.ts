import type { Unit } from './unit.ts';

/** A unit that waits to be written, and the callbacks that settle it. */
export interface Pending {
  readonly unit: Unit;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** At most this many units share a commit. */
export const MAX_GROUP = 128;
/** How long a finished unit waits at most for units that are still running, ms. */
const PATIENCE = 2;

/**
 * Groups units that only insert. A group is due when no started unit is still running, when it is
 * full, or when its oldest unit has waited long enough. A unit that reads is no longer counted as
 * running, because it may be waiting for this group.
 */
export class InsertGate {
  readonly #ready: Pending[] = [];
  #oldest = 0;
  #atWork = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly onDue: () => void) {}

  entered(): void {
    this.#atWork++;
  }

  left(): void {
    this.#atWork--;
    this.#announce();
  }

  add(pending: Pending): void {
    if (this.#ready.length === 0) this.#oldest = performance.now();
    this.#ready.push(pending);
  }

  get due(): boolean {
    if (this.#ready.length === 0) return false;
    return (
      this.#atWork <= 0 ||
      this.#ready.length >= MAX_GROUP ||
      performance.now() - this.#oldest >= PATIENCE
    );
  }

  take(): Pending[] {
    const group = this.#ready.splice(0, MAX_GROUP);
    this.#oldest = performance.now();
    return group;
  }

  #announce(): void {
    if (this.due) this.onDue();
    else if (this.#ready.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#announce();
      }, PATIENCE);
    }
  }
}
