import { isActive } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { Retried } from './delivery-view.ts';
import { ownedNow } from './owned-now.ts';
import { requeued } from './requeue.ts';
import { assertManages, assertReach } from './webhook-reach.ts';

/** Of one call; who has more calls again. */
const MANY = 1_000;

/** Sends everything in the DLQ of a subscription again, oldest first. */
export class RetryAllDeadLetters {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly webhooks: WebhookReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { webhookId }: { readonly webhookId: string },
  ): Promise<Retried> {
    const held = await this.webhooks.countDeadLetters(webhookId);
    return this.idempotent.run(context, async (stores) => {
      const subscription = await stores.webhooks.lock(webhookId);
      assertReach(context.caller, subscription, 'deliveries');
      assertManages(context.caller, subscription);
      if (!isActive(await ownedNow(stores.agents, subscription)))
        return { webhookId, retried: 0, skippedInactive: held };
      const letters = await stores.deliveries.deadLetters(webhookId, MANY);
      const at = this.clock.now().toISOString();
      await stores.deliveries.enqueue(
        letters.map((letter) => requeued(letter, this.ids.next(), at)),
      );
      await stores.deliveries.forget(letters.map(({ id }) => id));
      await stores.webhooks.wake(webhookId);
      return { webhookId, retried: letters.length, skippedInactive: 0 };
    });
  }
}
