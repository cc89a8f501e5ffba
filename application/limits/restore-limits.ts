import { actorOf } from '../../domain/identity/caller.ts';
import {
  exemptionKey,
  isExemption,
  type RateLimitExemption,
} from '../../domain/identity/rate-limit-exemption.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';

type Restored = Pick<RateLimitExemption, 'ownerId'>;

/** From here on the agent is limited as everybody is. What it called while it was exempt is not counted. */
export class RestoreLimits {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(context: CallContext, { ownerId }: Restored): Promise<Restored> {
    const restored = await this.idempotent.run(context, async (stores) => {
      const agent = await stores.agents.lock(ownerId);
      if (!agent) throw notFound('agent');
      const standing = await stores.rateLimitExemptions.lock(ownerId);
      const key = exemptionKey(ownerId);
      const sealed = (await this.ledger.factsWithin(stores.chains)).versionOf(key);
      // The chain decides: a row that somebody deleted, and keeps, is taken back like one that is there.
      if (!isExemption(sealed)) throw notFound('rate-limit exemption');
      if (standing) await stores.rateLimitExemptions.delete(ownerId);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'RATE_LIMIT_RESTORED',
          orgId: agent.orgId,
          // No row has this version, so the row cannot come back.
          rows: { [key]: sealed + 1 },
          members: { ownerId },
          event: 'admin.rate_limit_restored',
        },
      );
      return { ownerId };
    });
    this.notice.changed('rate-limit-exemption', ownerId);
    return restored;
  }
}
