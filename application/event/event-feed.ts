import type { EventPage, EventRange, EventReads } from '../../domain/event/event-reads.port.ts';
import type { EventTail } from './event-tail.ts';

/** Events of a page where nothing else is asked for. */
const PAGE = 100;

export interface Following extends Omit<EventRange, 'limit' | 'after'> {
  /** Events with a greater number. Left out: those that come from now on. */
  readonly after?: number;
  /** Events of a page at most; 100 where it is left out. */
  readonly limit?: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Numbered events as they come, for whoever streams them. Each reader has one page in memory and asks for the next when it
 * is done with it, so a slow one costs nobody anything but itself; and all of them share one look at the database.
 */
export class EventFeed {
  constructor(
    private readonly reads: EventReads,
    private readonly tail: EventTail,
  ) {}

  /** The newest number: where a reader begins who wants what comes from now on. */
  newest(): Promise<number> {
    return this.reads.newest();
  }

  /** One page of what is there, without waiting. */
  page(range: EventRange): Promise<EventPage> {
    return this.reads.after(range);
  }

  /**
   * Pages in the order of the numbers, none of them empty: first what is there after `after`, then what comes. It ends when
   * the signal aborts, and never by itself; no event comes twice, and none that was committed late is missed. Who follows
   * is checked by the caller: a credential that is revoked midway aborts the signal.
   *
   * @throws SERVICE_UNAVAILABLE where the database is away; who goes on does so with `after` of the last page's `through`.
   */
  async *follow({ after, limit = PAGE, signal, ...range }: Following): AsyncGenerator<EventPage> {
    const { viewer, filter } = range;
    const waiter = await this.tail.join({
      viewer,
      ...(filter?.recordId ? { recordId: filter.recordId } : {}),
    });
    try {
      let from = after ?? (await this.reads.newest());
      while (!signal.aborted) {
        const page = await this.reads.after({ ...range, after: from, limit });
        from = page.through;
        if (signal.aborted) return;
        if (page.events.length > 0) yield page;
        if (!page.hasMore) await waiter.next(signal);
      }
    } finally {
      waiter.leave();
    }
  }
}
