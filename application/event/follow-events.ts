import type { EventPage, EventFilter } from '../../domain/event/event-reads.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { EventFeed } from './event-feed.ts';
import { eventViewer } from './event-viewer.ts';

interface FollowEventsInput extends EventFilter {
  readonly after?: number;
  readonly orgId?: Uuid;
}

/** Numbered events as they come, as far as the caller may get them. */
export class FollowEvents {
  constructor(private readonly feed: Pick<EventFeed, 'newest' | 'follow'>) {}

  /** Where it begins is settled when it resolves: what happens from then on comes. */
  async execute(
    { caller, signal }: CallContext,
    { after, orgId, ...filter }: FollowEventsInput,
  ): Promise<AsyncIterable<EventPage>> {
    if (!signal) throw new TypeError('nobody would end it');
    const viewer = eventViewer(caller, orgId);
    return this.feed.follow({ viewer, filter, signal, after: after ?? (await this.feed.newest()) });
  }
}
