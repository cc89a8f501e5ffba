import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { FindRecord } from '../record/find-record.ts';
import { pushOwnerOf } from './push-reach.ts';

/** The push configurations of the caller at a record, the oldest first: never more than fit into one answer. */
export class ListPushConfigs {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly findRecord: FindRecord,
  ) {}

  async execute(
    context: CallContext,
    { recordId }: { readonly recordId: string },
  ): Promise<readonly Subscription[]> {
    await this.findRecord.find(context, recordId);
    return this.webhooks.pushConfigs(pushOwnerOf(context.caller).ownerId, recordId);
  }
}
