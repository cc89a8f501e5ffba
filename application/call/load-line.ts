import type { Door } from '../ports/measures.port.ts';
import type { Leave, LoadGate } from './load-gate.ts';

/** What of the gate is for those in line; the rest stays free for calls that cannot wait. */
const SHARE = 0.9;
/** How often the gate is asked where nobody leaves it: calls that hang are counted no more after a while. */
const LOOK_MS = 100;

interface Waiting {
  readonly door: Door;
  readonly until: number;
  settle(leave: Leave | null): void;
}

/**
 * Places of the gate for those who can wait for one, such as the messages of a stream: they come through one by one, and
 * nothing more of their sender is read meanwhile. Those of one key stand in a row of their own, first come first served,
 * and the rows have their turns: however many streams a key has open, another one waits for one message of it and not for
 * all. While others fill the gate, every second place that becomes free goes to the line, so neither side keeps the other
 * out.
 */
export class LoadLine {
  /** By key; the next turn is that of the first. */
  private readonly rows = new Map<string, Set<Waiting>>();
  private isTheirTurn = false;
  /** Places that became free when nobody stood in line, although some had a moment before: a commit lets many leave at once. */
  private credit = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param patienceMs after so long in line a call is refused. */
  constructor(
    private readonly gate: LoadGate,
    private readonly patienceMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    gate.onLeft = () => this.left();
  }

  get length(): number {
    let length = 0;
    for (const row of this.rows.values()) length += row.size;
    return length;
  }

  /** A place at once; null where it has to be waited for. */
  enter(door: Door): Leave | null {
    if (this.rows.size > 0) return null;
    if (this.gate.hasRoom(SHARE)) return this.gate.enter(door);
    if (this.credit === 0 || !this.gate.hasRoom(1)) return null;
    this.credit--;
    return this.gate.enter(door);
  }

  /**
   * Resolves with null where no place came in time, which counts as refused, or where the wait was called off.
   *
   * @param key whose turn it is.
   */
  wait(door: Door, key: string, calledOff: AbortSignal): Promise<Leave | null> {
    if (calledOff.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const cancel = (): void => one.settle(null);
      const one: Waiting = {
        door,
        until: this.now() + this.patienceMs,
        settle: (leave) => {
          this.forget(key, one);
          calledOff.removeEventListener('abort', cancel);
          resolve(leave);
        },
      };
      calledOff.addEventListener('abort', cancel, { once: true });
      const row = this.rows.get(key);
      if (row) row.add(one);
      else this.rows.set(key, new Set([one]));
      this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    });
  }

  /** Somebody left the gate. */
  private left(): void {
    if (!this.timer) return;
    this.isTheirTurn = !this.isTheirTurn;
    if (this.rows.size === 0) this.credit += this.isTheirTurn ? 1 : 0;
    else if (this.gate.hasRoom(this.isTheirTurn ? 1 : SHARE)) this.serve();
  }

  private look(): void {
    this.credit = 0;
    while (this.rows.size > 0 && this.gate.hasRoom(SHARE)) this.serve();
    const now = this.now();
    for (const row of this.rows.values())
      for (const one of row) {
        if (one.until > now) break;
        this.gate.refuse(one.door);
        one.settle(null);
      }
    if (this.rows.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private serve(): void {
    for (const [key, row] of this.rows) {
      // To the end: the next turn is that of another key.
      this.rows.delete(key);
      this.rows.set(key, row);
      for (const one of row) return one.settle(this.gate.enter(one.door));
    }
  }

  private forget(key: string, one: Waiting): void {
    const row = this.rows.get(key);
    row?.delete(one);
    if (row?.size === 0) this.rows.delete(key);
  }
}
