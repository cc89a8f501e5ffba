import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import { assertReach } from './webhook-reach.ts';
import type { ShownWebhook } from './webhook-view.ts';

export class GetWebhook {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    { caller }: CallContext,
    { webhookId }: { readonly webhookId: string },
  ): Promise<ShownWebhook> {
    const found = await this.webhooks.find(webhookId);
    if (!found) throw notFound('webhook');
    assertReach(caller, found.subscription);
    return { ...found, at: this.clock.now().toISOString() };
  }
}
