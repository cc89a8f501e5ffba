import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { changePause } from './change-pause.ts';
import { markNow } from './mark-now.ts';
import type { ShownWebhook } from './webhook-view.ts';

/** Ends a pause. What waited is delivered, and what happens from now on. */
export class ResumeWebhook {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly events: EventReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    { webhookId }: { readonly webhookId: string },
  ): Promise<ShownWebhook> {
    const mark = await markNow(this.events, this.clock);
    return this.idempotent.run(context, (stores) =>
      changePause(this.sealPlatform, stores, context, webhookId, false, mark),
    );
  }
}
