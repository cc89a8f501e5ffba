import type { Static } from 'typebox';
import { setByOperator } from '../../domain/delivery/circuit.ts';
import { assertEventTypes } from '../../domain/delivery/event-names.ts';
import {
  assertRoomForGap,
  gapBegun,
  gapEnded,
  isActive,
  type Subscription,
} from '../../domain/delivery/subscription.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { buryWaiting } from './bury-waiting.ts';
import { markNow } from './mark-now.ts';
import { shownAfter } from './shown-after.ts';
import { sealWebhook } from './webhook-acts.ts';
import type { UpdateWebhookInput } from './webhook-inputs.ts';
import { assertReach } from './webhook-reach.ts';
import type { ShownWebhook } from './webhook-view.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';
import { assertReceiver } from './receiver-host.ts';

/** Changes where, what and how is delivered. What waits goes to the new place, in the new form. */
export class UpdateWebhook {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly events: EventReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(
    context: CallContext,
    { webhookId, changes }: Static<typeof UpdateWebhookInput>,
  ): Promise<ShownWebhook> {
    const { signingAlg, isActive: wanted, ...plain } = changes;
    if (signingAlg !== undefined)
      throw new NotaryError('UNPROCESSABLE', 'signingAlg is fixed when a webhook is created.', {
        suggestion: 'Create another webhook with the scheme that you want, and delete this one.',
      });
    if (plain.url !== undefined) assertReceiver(plain.url, this.addresses);
    if (plain.eventTypes) assertEventTypes(plain.eventTypes);
    const mark = await markNow(this.events, this.clock);
    const { at } = mark;
    return this.idempotent.run(context, async (stores) => {
      const before = await stores.webhooks.lock(webhookId);
      assertReach(context.caller, before);
      assertUnmanaged(context.caller, before, 'webhook');
      assertNotDeleted(before);
      if (wanted !== undefined) assertRoomForGap(before);
      const after: Subscription = {
        ...before,
        ...(plain.url === undefined ? {} : { url: plain.url }),
        ...(plain.format === undefined ? {} : { format: plain.format }),
        ...(plain.eventTypes ? { eventTypes: [...new Set(plain.eventTypes)] } : {}),
        ...(plain.recordTypes ? { recordTypes: [...new Set(plain.recordTypes)] } : {}),
        ...(wanted === undefined
          ? {}
          : {
              gaps: wanted
                ? gapEnded(before.gaps, 'inactive', mark)
                : gapBegun(before.gaps, 'inactive', mark),
            }),
        version: before.version + 1,
      };
      await stores.webhooks.update(after);
      const reader = await stores.webhooks.lockReader(webhookId);
      if (reader && wanted === true && !isActive(before))
        await stores.webhooks.setCircuit(webhookId, setByOperator(reader.circuit, 'closed', at));
      if (wanted === false) await buryWaiting(stores, this.ids, after, at);
      await sealWebhook(
        this.sealPlatform,
        stores,
        originOf(context),
        'updated',
        after,
        wanted === undefined ? {} : { isActive: wanted },
      );
      return shownAfter(stores, after, at);
    });
  }
}

/** @throws UNPROCESSABLE: a deleted one is never revived. */
export const assertNotDeleted = ({ deletedAt }: Pick<Subscription, 'deletedAt'>): void => {
  if (deletedAt !== null)
    throw new NotaryError('UNPROCESSABLE', `The webhook was deleted at ${deletedAt}.`, {
      suggestion: 'Create another one.',
    });
};
