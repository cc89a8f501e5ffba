import type { NumberedEvent } from '../../domain/event/event.ts';
import type { EventListing, EventReads } from '../../domain/event/event-reads.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import { eventViewer } from './event-viewer.ts';

interface ListEventsInput extends Omit<EventListing, 'viewer' | 'order'> {
  readonly order?: EventListing['order'];
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

/** Numbered events, as far as the caller may get them. */
export class ListEvents {
  constructor(private readonly events: EventReads) {}

  execute(
    { caller }: CallContext,
    { slice, order = 'desc', orgId, ...filters }: ListEventsInput,
  ): Promise<Slice<NumberedEvent>> {
    return this.events.list({ ...filters, order, viewer: eventViewer(caller, orgId) }, slice);
  }
}
