import type { Waiting } from '../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** Subscriptions that are worked on at once, but for those whose receiver is waited for. */
const LANES = 64;
/** With those: each holds a connection, and what it is about to send. */
const MOST = 1_024;
/** The same of one org. There are more places for it than it may have webhooks. */
const LANES_OF_ORG = LANES / 2;
const MOST_OF_ORG = 128;
/** From then on an answer is waited for aside, ms. */
const SLOW_MS = 500;
/** Whoever worked for so long makes room for one that waits, ms. */
const SLICE_MS = 2_000;

/** A place in which one subscription is worked on. */
export interface Place {
  /** Whether to come to an end: others wait for the place, or the service stops. Named as in an AbortSignal. */
  readonly aborted: boolean;
  /** Waits for something that somebody else makes slow. Meanwhile another subscription is worked on. */
  waitFor<T>(work: Promise<T>): Promise<T>;
}

/** How many of an org are worked on, and how many of those wait aside. */
interface Count {
  held: number;
  aside: number;
}

interface Held extends Place {
  readonly orgId: Uuid;
  readonly since: number;
  aborted: boolean;
}

/**
 * Who is worked on in this process. There are few places, so that a burst to many receivers fills no memory, and a receiver
 * that lets one wait takes none; nobody who has much to do keeps one while others wait.
 */
export class LanePlaces {
  readonly #held = new Map<Uuid, Held>();
  readonly #ofOrg = new Map<Uuid, Count>();
  readonly #all: Count = { held: 0, aside: 0 };

  has(id: Uuid): boolean {
    return this.#held.has(id);
  }

  isFull(): boolean {
    return isOver(this.#all, LANES, MOST);
  }

  isFullFor(orgId: Uuid): boolean {
    const count = this.#ofOrg.get(orgId);
    return count !== undefined && isOver(count, LANES_OF_ORG, MOST_OF_ORG);
  }

  take({ id, orgId }: Waiting): Place {
    const count = this.#ofOrg.get(orgId) ?? { held: 0, aside: 0 };
    this.#ofOrg.set(orgId, count);
    const counts = [this.#all, count];
    for (const each of counts) each.held++;
    const place: Held = {
      orgId,
      since: performance.now(),
      aborted: false,
      waitFor: (work) => waitFor(work, counts),
    };
    this.#held.set(id, place);
    return place;
  }

  leave(id: Uuid): void {
    const place = this.#held.get(id);
    if (!place) return;
    this.#held.delete(id);
    const count = this.#ofOrg.get(place.orgId)!;
    this.#all.held--;
    if (--count.held === 0) this.#ofOrg.delete(place.orgId);
  }

  /** Ends those that worked long: of one org, or of all. */
  makeRoom(orgId?: Uuid): void {
    const before = performance.now() - SLICE_MS;
    for (const place of this.#held.values())
      if (place.since < before && (orgId === undefined || place.orgId === orgId))
        place.aborted = true;
  }

  endAll(): void {
    for (const place of this.#held.values()) place.aborted = true;
  }
}

const isOver = ({ held, aside }: Count, lanes: number, most: number): boolean =>
  held - aside >= lanes || held >= most;

const waitFor = async <T>(work: Promise<T>, counts: readonly Count[]): Promise<T> => {
  let isAside = false;
  const slow = setTimeout(() => {
    isAside = true;
    for (const count of counts) count.aside++;
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(slow);
    if (isAside) for (const count of counts) count.aside--;
  }
};
