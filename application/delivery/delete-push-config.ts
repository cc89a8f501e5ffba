import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { FindRecord } from '../record/find-record.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { endPushConfig } from './end-push-config.ts';
import { markNow } from './mark-now.ts';
import { pushOwnerOf } from './push-reach.ts';
import type { DeletedPushConfig } from './push-view.ts';

/** Ends a push configuration of the caller. One that is not there is gone already: A2A wants no error. */
export class DeletePushConfig {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly findRecord: FindRecord,
    private readonly events: EventReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { recordId, configId }: { readonly recordId: string; readonly configId: string },
  ): Promise<DeletedPushConfig> {
    await this.findRecord.find(context, recordId);
    const owner = pushOwnerOf(context.caller);
    const { sealPlatform, ids } = this;
    const mark = await markNow(this.events, this.clock);
    return this.idempotent.run(context, async (stores) => {
      const configs = await stores.webhooks.pushConfigs(owner, recordId);
      const before = configs.find(({ push }) => push?.configId === configId);
      if (before)
        await endPushConfig({ sealPlatform, ids }, stores, originOf(context), before, mark);
      return { recordId, configId };
    });
  }
}
