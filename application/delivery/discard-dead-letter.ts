import type { DeadLetter } from '../../domain/delivery/delivery.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { assertManages, assertReach } from './webhook-reach.ts';

/** Gives up an event of the DLQ. Without a webhook an operator does, of any. */
export class DiscardDeadLetter {
  constructor(private readonly idempotent: IdempotentTransaction) {}

  execute(
    context: CallContext,
    { webhookId, dlqId }: { readonly webhookId?: string; readonly dlqId: string },
  ): Promise<Pick<DeadLetter, 'id'>> {
    return this.idempotent.run(context, async (stores) => {
      if (webhookId !== undefined) {
        const subscription = await stores.webhooks.lock(webhookId);
        assertReach(context.caller, subscription, 'deliveries');
        assertManages(context.caller, subscription);
      }
      const letter = await stores.deliveries.deadLetter(dlqId);
      if (!letter || (webhookId !== undefined && letter.subscriptionId !== webhookId))
        throw notFound('DLQ entry');
      await stores.deliveries.forget([letter.id]);
      return { id: letter.id };
    });
  }
}
