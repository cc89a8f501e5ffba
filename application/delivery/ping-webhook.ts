import { verdictOf } from '../../domain/delivery/attempt.ts';
import type { Delivery } from '../../domain/delivery/delivery.ts';
import { isActive } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { ShownDelivery } from './delivery-view.ts';
import type { SendDelivery, SentEvent } from './send-delivery.ts';
import { assertReach } from './webhook-reach.ts';

/** Sends a real signed delivery of the type `webhook.ping`, and answers with what came of it. It counts for no breaker. */
export class PingWebhook {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly webhooks: WebhookReads,
    private readonly sending: SendDelivery,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { webhookId }: { readonly webhookId: string },
  ): Promise<ShownDelivery> {
    const subscription = (await this.webhooks.find(webhookId))?.subscription ?? null;
    assertReach(context.caller, subscription);
    if (!isActive(subscription))
      throw new NotaryError('UNPROCESSABLE', 'The webhook is inactive: nothing is sent to it.', {
        suggestion: 'Set isActive of the webhook to true first.',
      });
    const at = this.clock.now().toISOString();
    const traceparent = context.span?.traceparent;
    const event: SentEvent = {
      id: this.ids.next(),
      type: 'webhook.ping',
      orgId: subscription.orgId,
      recordId: null,
      recordType: null,
      agentId: null,
      data: { requestId: context.requestId },
      createdAt: at,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const queued = { id: this.ids.next(), eventSequence: 0 };
    await this.sending.settle(subscription);
    const ready = await this.sending.prepare(subscription, queued, event, at);
    // Written as interrupted before it leaves: where this process dies, that is what it was.
    const delivery: Delivery = {
      id: queued.id,
      subscriptionId: webhookId,
      eventId: event.id,
      eventType: event.type,
      number: 0,
      eventSequence: 0,
      attempt: 1,
      createdAt: at,
      status: 'FAILED',
      reason: typeof ready === 'string' ? ready : 'interrupted',
      responseStatus: null,
      responseBody: null,
      signature: typeof ready === 'string' ? null : ready.signature,
      bodyHash: typeof ready === 'string' ? null : ready.bodyHash,
      nextRetryAt: null,
      deliveredAt: null,
    };
    if (typeof ready === 'string')
      return this.idempotent.run(context, async (stores) => {
        await stores.deliveries.insert(delivery, new Uint8Array(0));
        return { delivery, body: null };
      });
    // Under a key that is taken nothing leaves a second time, also where two calls come at once.
    await this.idempotent.run(
      context,
      async (stores) => {
        await stores.deliveries.insert(delivery, ready.body);
        return { delivery, body: ready.body };
      },
      true,
    );
    const { outcome, responseBody } = await this.sending.send(ready);
    const isDelivered = verdictOf(outcome, 1, 0).kind === 'delivered';
    const ended: Delivery = {
      ...delivery,
      status: isDelivered ? 'DELIVERED' : 'FAILED',
      reason:
        outcome.kind === 'answered'
          ? null
          : outcome.kind === 'withheld'
            ? outcome.reason
            : 'unreachable',
      responseStatus: outcome.kind === 'answered' ? outcome.status : null,
      responseBody,
      deliveredAt: isDelivered ? this.clock.now().toISOString() : null,
    };
    return this.idempotent.again(context, async (stores) => {
      await stores.deliveries.end([ended]);
      return { delivery: ended, body: ready.body };
    });
  }
}
