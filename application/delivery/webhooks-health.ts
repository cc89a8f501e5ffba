import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import { ownOrg } from '../call/own-org.ts';
import type { ShownWebhook } from './webhook-view.ts';

export interface WebhookHealth extends ShownWebhook {
  readonly deadLetters: number;
}

/** How the receivers of an org do, or of every org. */
export class WebhooksHealth {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    { caller }: CallContext,
    { slice, orgId }: { readonly orgId?: string; readonly slice: SliceRequest },
  ): Promise<Slice<WebhookHealth>> {
    const at = this.clock.now().toISOString();
    const found = await this.webhooks.list(ownOrg(caller, orgId), slice);
    const rows = await Promise.all(
      found.rows.map(async (state) => ({
        ...state,
        at,
        deadLetters: await this.webhooks.countDeadLetters(state.subscription.id),
      })),
    );
    return { ...found, rows };
  }
}
