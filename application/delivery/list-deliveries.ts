import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import { assertReach } from './webhook-reach.ts';
import type { ShownDelivery } from './delivery-view.ts';

export interface ShownDeliveries {
  readonly subscription: Subscription;
  readonly deliveries: readonly ShownDelivery[];
}

/** The newest attempts of a subscription, with the bytes that were sent. */
export class ListDeliveries {
  constructor(private readonly webhooks: WebhookReads) {}

  async execute(
    { caller }: CallContext,
    { webhookId, limit = 50 }: { readonly webhookId: string; readonly limit?: number },
  ): Promise<ShownDeliveries> {
    const subscription = (await this.webhooks.find(webhookId))?.subscription ?? null;
    assertReach(caller, subscription, 'deliveries');
    const deliveries = await this.webhooks.deliveries(webhookId, limit);
    const hashes = deliveries.flatMap(({ bodyHash }) => (bodyHash === null ? [] : [bodyHash]));
    const bodies = await this.webhooks.bodies([...new Set(hashes)]);
    return {
      subscription,
      deliveries: deliveries.map((delivery) => ({
        delivery,
        body: (delivery.bodyHash !== null && bodies.get(delivery.bodyHash)) || null,
      })),
    };
  }
}
