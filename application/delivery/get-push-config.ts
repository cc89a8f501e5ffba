import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { FindRecord } from '../record/find-record.ts';
import { pushOwnerOf } from './push-reach.ts';

/** One push configuration of the caller at a record. */
export class GetPushConfig {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly findRecord: FindRecord,
  ) {}

  async execute(
    context: CallContext,
    { recordId, configId }: { readonly recordId: string; readonly configId: string },
  ): Promise<Subscription> {
    await this.findRecord.find(context, recordId);
    const { ownerId } = pushOwnerOf(context.caller);
    const found = (await this.webhooks.pushConfigs(ownerId, recordId)).find(
      ({ push }) => push?.configId === configId,
    );
    if (!found) throw notFound('push configuration');
    return found;
  }
}
