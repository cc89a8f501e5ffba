import type { EventReads, EventRoute, EventViewer } from '../../domain/event/event-reads.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { EventNotice } from './event-notice.port.ts';

/** How often it looks for events of other processes while somebody waits, ms. */
const EVERY_MS = 200;
/** Numbers in one look. */
const PAGE = 500;

/** What a reader waits for: any event of the viewer, or those of one record. */
export interface Waiting {
  readonly viewer: EventViewer;
  readonly recordId?: Uuid;
}

/** A place in the tail. */
export interface Waiter {
  /** Resolves as soon as there is reason to read again: at once where there was since the last time, or where the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
  leave(): void;
}

/**
 * The one look at new numbers for all readers of a node that wait. It learns whom a number concerns and wakes those, and
 * nobody else; without a reader it does nothing.
 */
export class EventTail {
  readonly #byKey = new Map<string, Set<Place>>();
  #places = 0;
  #seen = 0;
  #stop: (() => void) | null = null;
  #opening: Promise<void> | null = null;
  #looking = false;
  #again = false;
  #isFailing = false;

  constructor(
    private readonly reads: Pick<EventReads, 'newest' | 'routes'>,
    private readonly notice: EventNotice,
    /** Of a look that failed; the next one makes up for it. */
    private readonly onError: (error: unknown) => void = () => undefined,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** From the moment on at which this resolves nothing new passes unnoticed. */
  async join(waiting: Waiting): Promise<Waiter> {
    const key = keyOf(waiting);
    const place = new Place(() => this.#remove(key, place));
    this.#places++;
    this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(place));
    try {
      await (this.#opening ??= this.#open());
    } catch (error) {
      place.leave();
      throw error;
    }
    return place;
  }

  /** How many wait. */
  get size(): number {
    return this.#places;
  }

  async #open(): Promise<void> {
    try {
      this.#seen = await this.reads.newest();
    } catch (error) {
      this.#opening = null;
      throw error;
    }
    const timer = setInterval(() => this.#look(), this.everyMs).unref();
    const deaf = this.notice.onNumbered(() => this.#look());
    this.#stop = () => {
      clearInterval(timer);
      deaf();
    };
    if (this.#places === 0) this.#close();
  }

  #remove(key: string, place: Place): void {
    const places = this.#byKey.get(key);
    if (!places?.delete(place)) return;
    if (places.size === 0) this.#byKey.delete(key);
    this.#places--;
    if (this.#places === 0) this.#close();
  }

  #close(): void {
    if (!this.#stop) return;
    this.#stop();
    this.#stop = null;
    this.#opening = null;
  }

  #look(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    void this.#lookOn();
  }

  /** Never rejects. */
  async #lookOn(): Promise<void> {
    try {
      do {
        this.#again = false;
        const routes = await this.reads.routes(this.#seen, PAGE);
        for (const route of routes) this.#wake(route);
        this.#seen = routes.at(-1)?.sequence ?? this.#seen;
        if (routes.length === PAGE) this.#again = true;
      } while (this.#again && this.#places > 0);
      this.#isFailing = false;
    } catch (error) {
      // It looks again five times a second: an outage is told of once.
      if (!this.#isFailing) this.onError(error);
      this.#isFailing = true;
    } finally {
      this.#looking = false;
    }
  }

  #wake({ orgIds, agentIds, recordId }: EventRoute): void {
    this.#wakeAll('platform');
    for (const id of orgIds) this.#wakeAll(`org ${id}`);
    for (const id of agentIds) this.#wakeAll(`agent ${id}`);
    if (recordId) this.#wakeAll(`record ${recordId}`);
  }

  #wakeAll(key: string): void {
    for (const place of this.#byKey.get(key) ?? []) place.wake();
  }
}

const keyOf = ({ viewer, recordId }: Waiting): string => {
  if (recordId !== undefined) return `record ${recordId}`;
  if (viewer.kind === 'platform') return 'platform';
  return viewer.kind === 'org' ? `org ${viewer.orgId}` : `agent ${viewer.agentId}`;
};

class Place implements Waiter {
  #isDue = false;
  #resolve: (() => void) | null = null;

  constructor(readonly leave: () => void) {}

  wake(): void {
    if (this.#resolve) this.#resolve();
    else this.#isDue = true;
  }

  next(signal: AbortSignal): Promise<void> {
    if (this.#isDue || signal.aborted) {
      this.#isDue = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        this.#resolve = null;
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#resolve = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
