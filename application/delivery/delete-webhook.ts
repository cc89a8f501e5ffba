import { gapBegun, type Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { buryWaiting } from './bury-waiting.ts';
import { markNow } from './mark-now.ts';
import { sealWebhook } from './webhook-acts.ts';
import { assertReach } from './webhook-reach.ts';
import type { DeletedWebhook } from './webhook-view.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/** Ends a subscription for good. Its row stays, so that its DLQ stays readable. */
export class DeleteWebhook {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly webhooks: WebhookReads,
    private readonly events: EventReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { webhookId }: { readonly webhookId: string },
  ): Promise<DeletedWebhook> {
    const held = await this.webhooks.countDeadLetters(webhookId);
    const mark = await markNow(this.events, this.clock);
    return this.idempotent.run(context, async (stores) => {
      const before = await stores.webhooks.lock(webhookId);
      assertReach(context.caller, before);
      assertUnmanaged(context.caller, before, 'webhook');
      if (before.deletedAt !== null) return { id: webhookId, deadLetters: held };
      const after: Subscription = {
        ...before,
        gaps: gapBegun(before.gaps, 'inactive', mark),
        deletedAt: mark.at,
        version: before.version + 1,
      };
      await stores.webhooks.update(after);
      // A worker that holds it has committed what is under way, or sees that it was deleted.
      await stores.webhooks.lockReader(webhookId);
      const buried = await buryWaiting(stores, this.ids, after, mark.at);
      await stores.webhooks.wake(webhookId);
      await sealWebhook(this.sealPlatform, stores, originOf(context), 'deleted', after);
      return { id: webhookId, deadLetters: held + buried };
    });
  }
}
