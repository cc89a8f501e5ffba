import { isActive } from '../../domain/delivery/subscription.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { ShownDelivery } from './delivery-view.ts';
import { ownedNow } from './owned-now.ts';
import { requeued } from './requeue.ts';
import { assertManages, assertReach } from './webhook-reach.ts';

/** Sends an event of the DLQ again. */
export class RetryDeadLetter {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  execute(
    context: CallContext,
    { webhookId, dlqId }: { readonly webhookId: string; readonly dlqId: string },
  ): Promise<ShownDelivery> {
    const id = this.ids.next();
    return this.idempotent.run(context, async (stores) => {
      const subscription = await stores.webhooks.lock(webhookId);
      assertReach(context.caller, subscription, 'deliveries');
      assertManages(context.caller, subscription);
      const letter = await stores.deliveries.deadLetter(dlqId);
      if (letter?.subscriptionId !== webhookId) throw notFound('DLQ entry');
      if (!isActive(await ownedNow(stores.agents, subscription)))
        throw new NotaryError('UNPROCESSABLE', 'The webhook is inactive: nothing is sent to it.', {
          allowedActions: ['discard'],
          suggestion:
            'Discard the entry, or set isActive of the webhook to true first. Where its agent is deactivated, that has to be reactivated.',
        });
      const delivery = requeued(letter, id, this.clock.now().toISOString());
      await stores.deliveries.enqueue([delivery]);
      await stores.deliveries.forget([letter.id]);
      await stores.webhooks.wake(webhookId);
      return { delivery, body: null };
    });
  }
}
