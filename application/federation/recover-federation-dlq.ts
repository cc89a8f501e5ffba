import type { DlqFilter, Recovered } from '../../domain/federation/lane-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';

/** Lets lanes that stand go on, each from its lowest message. */
export class RecoverFederationDlq {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly clock: Clock,
  ) {}

  execute(context: CallContext, filter: DlqFilter): Promise<Recovered> {
    return this.idempotent.run(context, (stores) =>
      stores.federationLanes.recover(filter, this.clock.now().toISOString()),
    );
  }
}
