import type { Log } from '../ports/log.port.ts';
import type { Door, Measures } from '../ports/measures.port.ts';
import { CountsByAge } from './counts-by-age.ts';

/** Below so many calls at once nobody is refused: a few slow ones say nothing about what the service can do. */
const FLOOR = 256;
/** What is taken at once before it is known how fast calls end. */
const UNKNOWN = 1024;
const SLICE_MS = 100;
/** For so many slices a call keeps its place while its message is on its way: others have been let in after it meanwhile. */
const KEPT_SLICES = 3;
/** So many keep it at once: a quarter of what is always taken. */
const KEPT_PLACES = FLOOR / 4;
/** How much of a new measurement counts. */
const WEIGHT = 0.2;
/** A measurement that is older says nothing. */
const KEPT_MS = 10_000;
/** Time between two lines of the log about calls that were refused. */
const TOLD_MS = 10_000;

/** The call has ended, whatever came of it. */
export type Leave = () => void;

/** The place of a call at the gate. */
export interface Place {
  /** The call has ended, whatever came of it. */
  leave(): void;
  /** The call has its caller to wait for: its message is not there yet. */
  awaitCaller(): void;
  /** The message is there. False where others took the place meanwhile, and none is free: the call counts as refused. */
  goOn(): boolean;
}

/**
 * Takes as many calls at once as end within the time that a call may wait, and no more: by Little's law a call that comes
 * to L others, of which R end a second, waits L / R seconds. R is measured while calls queue, and only then, for of a
 * service with little to do it tells what is asked and not what could be. So what is taken keeps its time, whatever
 * limits the service at the moment, and everything else is refused before any work is done for it.
 *
 * Calls that have gone on for twice that time wait for something else than the others, such as a slow signer or the
 * reader of a stream. They are counted no more, so that a few of them do not keep everybody out. A call whose message is
 * not there keeps its place for a moment only: whoever sends nothing else keeps out nobody.
 */
export class LoadGate {
  /** Called when a call has left, and its place is free. */
  onLeft: (() => void) | null = null;
  /** Calls under way. */
  private readonly young: CountsByAge;
  /** Calls that keep their place while they wait for their callers. */
  private readonly kept = new CountsByAge(KEPT_SLICES);
  private slice: number;
  /** Since the slice began. */
  private ended = 0;
  private least = 0;
  private perSecond: number | null = null;
  private measuredAt = 0;
  private refusedCount = 0;
  private untold = 0;
  private toldAt = -Infinity;

  /**
   * @param queueMs the longest that a call may have to wait for those before it; 0: all calls are taken.
   * @param now monotonic, ms.
   */
  constructor(
    private readonly queueMs: number,
    private readonly log: Log,
    private readonly measures: Pick<Measures, 'shed'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.young = new CountsByAge(Math.max(2, Math.ceil((2 * queueMs) / SLICE_MS)));
    this.slice = Math.floor(now() / SLICE_MS);
    this.young.advance(this.slice);
    this.kept.advance(this.slice);
  }

  /** How many calls are taken at once. */
  get limit(): number {
    if (this.perSecond === null) return UNKNOWN;
    return Math.max(FLOOR, (this.perSecond * this.queueMs) / 1000);
  }

  /** Calls under way that count. */
  get underWay(): number {
    this.advance();
    return this.count;
  }

  /** Calls that were refused since the start. */
  get refused(): number {
    return this.refusedCount;
  }

  /** Seconds after which a refused call may try again; others wait longer, so that they do not all come back at once. */
  get retryAfterSeconds(): number {
    return 1 + (this.refusedCount % 3);
  }

  /** Whether a call that comes now is not taken. It is counted as refused then. */
  refuses(door: Door): boolean {
    if (this.queueMs === 0) return false;
    this.advance();
    if (this.count < this.limit) return false;
    this.refuse(door);
    return true;
  }

  /** Whether a call would be taken that fills no more than this share of the places. */
  hasRoom(share: number): boolean {
    if (this.queueMs === 0) return true;
    this.advance();
    return this.count < this.limit * share;
  }

  /** Null where the call is not taken. */
  enter(door: Door): Leave | null {
    const place = this.take(door);
    return place && (() => place.leave());
  }

  /** As `enter`, for a call that may have to wait for its caller. */
  take(door: Door): Place | null {
    if (this.queueMs === 0) return FREE;
    if (this.refuses(door)) return null;
    const { young, kept } = this;
    let since = young.add();
    let state: 'inside' | 'waiting' | 'left' = 'inside';
    return {
      awaitCaller: () => {
        if (state !== 'inside') return;
        this.advance();
        state = 'waiting';
        const wasYoung = young.remove(since);
        since = wasYoung && kept.count < KEPT_PLACES ? kept.add() : NEVER;
        if (wasYoung && since === NEVER) this.given();
      },
      goOn: () => {
        if (state !== 'waiting') return true;
        this.advance();
        if (!kept.remove(since) && this.refuses(door)) return false;
        state = 'inside';
        since = young.add();
        return true;
      },
      leave: () => {
        if (state === 'left') return;
        this.advance();
        // What never had its message tells nothing of how fast calls end.
        if (state === 'inside') this.ended++;
        const counted = (state === 'inside' ? young : kept).remove(since);
        state = 'left';
        if (counted) this.least = Math.min(this.least, this.count);
        this.onLeft?.();
      },
    };
  }

  /** Counts a call that is not taken. */
  refuse(door: Door): void {
    this.measures.shed(door);
    this.refusedCount++;
    this.untold++;
    const now = this.now();
    if (now - this.toldAt < TOLD_MS) return;
    this.log.warn(
      {
        refused: this.untold,
        underWay: this.count,
        limit: Math.floor(this.limit),
        perSecond: this.perSecond === null ? null : Math.round(this.perSecond),
      },
      'more calls come than can be answered in time: what is too much is refused with 503',
    );
    this.toldAt = now;
    this.untold = 0;
  }

  /** A place is free, and its call goes on without it. */
  private given(): void {
    this.least = Math.min(this.least, this.count);
    this.onLeft?.();
  }

  private get count(): number {
    return this.young.count + this.kept.count;
  }

  private advance(): void {
    const slice = Math.floor(this.now() / SLICE_MS);
    const passed = slice - this.slice;
    if (passed <= 0) return;
    this.measure(passed);
    this.young.advance(slice);
    this.kept.advance(slice);
    this.slice = slice;
    this.ended = 0;
    this.least = this.count;
  }

  /** Calls queued all the time, or what ended was all there was to do. */
  private measure(passed: number): void {
    const now = this.now();
    if (this.least >= FLOOR / 2) {
      const measured = (this.ended * 1000) / (passed * SLICE_MS);
      const weight = 1 - (1 - WEIGHT) ** passed;
      this.perSecond =
        this.perSecond === null ? measured : this.perSecond + weight * (measured - this.perSecond);
      this.measuredAt = now;
    } else if (now - this.measuredAt > KEPT_MS) this.perSecond = null;
  }
}

/** A slice in which nothing counts. */
const NEVER = -Infinity;
const nothing = (): void => undefined;
/** Of a call that the gate does not count. */
export const FREE: Place = { leave: nothing, awaitCaller: nothing, goOn: () => true };
