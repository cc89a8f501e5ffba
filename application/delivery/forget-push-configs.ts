import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { ZERO_UUID, type IdSource } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import { lastPossibleChange } from '../../domain/record/settlement.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { endPushConfig } from './end-push-config.ts';
import { markNow } from './mark-now.ts';

const PAGE = 100;
/** Push configurations are kept for so long after the last change that their record may meet, ms. */
const KEPT_MS = 30 * 86_400_000;

/** Ends push configurations of records that have long been over. */
export class ForgetPushConfigs {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly webhooks: WebhookReads,
    private readonly records: RecordReads,
    private readonly events: EventReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @returns how many. */
  async run(stopping: AbortSignal): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS).toISOString();
    const jobId = this.ids.next();
    let ended = 0;
    for (let after = ZERO_UUID; !stopping.aborted;) {
      const page = await this.webhooks.pushConfigsBefore(before, after, PAGE);
      for (const config of page)
        if (await this.isOver(config, before)) ended += await this.end(config, jobId);
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
    return ended;
  }

  private async isOver({ recordId }: Subscription, before: string): Promise<boolean> {
    const found = recordId === null ? null : await this.records.find(recordId);
    const last = found && lastPossibleChange(found.record);
    return last !== null && last < before;
  }

  private async end({ id }: Subscription, jobId: string): Promise<number> {
    const { sealPlatform, ids } = this;
    const mark = await markNow(this.events, this.clock);
    return this.unitOfWork.transaction(async (stores) => {
      const config = await stores.webhooks.lock(id);
      if (!config || config.deletedAt !== null) return 0;
      await endPushConfig({ sealPlatform, ids }, stores, systemOrigin(jobId), config, mark);
      return 1;
    });
  }
}
