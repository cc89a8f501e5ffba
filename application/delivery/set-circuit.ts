import { setByOperator } from '../../domain/delivery/circuit.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { shownAfter } from './shown-after.ts';
import { assertNotDeleted } from './update-webhook.ts';
import { sealWebhook } from './webhook-acts.ts';
import type { ShownWebhook } from './webhook-view.ts';

/** An operator opens or closes the breaker of a subscription. What an operator opened stays open until it is closed here. */
export class SetCircuit {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly clock: Clock,
  ) {}

  execute(
    context: CallContext,
    { webhookId, state }: { readonly webhookId: string; readonly state: 'closed' | 'open' },
  ): Promise<ShownWebhook> {
    const { caller } = context;
    return this.idempotent.run(context, async (stores) => {
      const before = await stores.webhooks.lock(webhookId);
      if (!before || before.push || (caller.role !== 'platform' && before.orgId !== caller.orgId))
        throw notFound('webhook');
      assertNotDeleted(before);
      const reader = await stores.webhooks.lockReader(webhookId);
      if (!reader) throw notFound('webhook');
      const at = this.clock.now().toISOString();
      const after = { ...before, version: before.version + 1 };
      await stores.webhooks.update(after);
      await stores.webhooks.setCircuit(webhookId, setByOperator(reader.circuit, state, at));
      await sealWebhook(
        this.sealPlatform,
        stores,
        originOf(context),
        state === 'open' ? 'circuit_opened' : 'circuit_closed',
        after,
        { circuitState: state },
      );
      return shownAfter(stores, after, at);
    });
  }
}
