import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ShownDeadLetter } from './delivery-view.ts';
import { eventsOf } from './webhook-rebuild.ts';

/** What was not delivered on the whole hub, or in one org, newest first. */
export class ListAllDeadLetters {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly events: EventReads,
  ) {}

  async execute(
    _context: CallContext,
    { slice, ...filter }: { readonly orgId?: string; readonly slice: SliceRequest },
  ): Promise<Slice<ShownDeadLetter>> {
    const found = await this.webhooks.deadLetters(filter, slice);
    const ids = [...new Set(found.rows.map(({ subscriptionId }) => subscriptionId))];
    const states = await Promise.all(ids.map((id) => this.webhooks.find(id)));
    const subscriptions = new Map(states.map((state) => [state?.subscription.id, state]));
    const events = await eventsOf(this.events, null, found.rows);
    return {
      ...found,
      rows: found.rows.map((letter) => ({
        letter,
        event: events.get(letter.eventId) ?? null,
        subscription: subscriptions.get(letter.subscriptionId)?.subscription ?? null,
      })),
    };
  }
}
