import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ShownDeadLetter } from './delivery-view.ts';
import { assertReach } from './webhook-reach.ts';
import { eventsOf } from './webhook-rebuild.ts';

/** What was not delivered of one subscription, newest first. */
export class ListDeadLetters {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly events: EventReads,
  ) {}

  async execute(
    { caller }: CallContext,
    { webhookId, slice }: { readonly webhookId: string; readonly slice: SliceRequest },
  ): Promise<Slice<ShownDeadLetter>> {
    const subscription: Subscription | null =
      (await this.webhooks.find(webhookId))?.subscription ?? null;
    assertReach(caller, subscription, 'deliveries');
    const found = await this.webhooks.deadLetters({ subscriptionId: webhookId }, slice);
    const events = await eventsOf(this.events, subscription, found.rows);
    return {
      ...found,
      rows: found.rows.map((letter) => ({
        letter,
        event: events.get(letter.eventId) ?? null,
        subscription,
      })),
    };
  }
}
