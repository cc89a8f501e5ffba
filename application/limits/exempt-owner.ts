import { actorOf } from '../../domain/identity/caller.ts';
import {
  exemptionKey,
  nextExemption,
  type RateLimitExemption,
} from '../../domain/identity/rate-limit-exemption.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';

/** From here on no rate limit counts what the credentials of the agent call. Doing it again changes nothing. */
export class ExemptOwner {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    { ownerId }: { readonly ownerId: Uuid },
  ): Promise<RateLimitExemption> {
    const exemption = await this.idempotent.run(context, async (stores) => {
      // Under the lock of the agent, so that of two calls at once the second finds the row of the first.
      const agent = await stores.agents.lock(ownerId);
      if (!agent) throw notFound('agent');
      const standing = await stores.rateLimitExemptions.lock(ownerId);
      if (standing) return standing;
      const key = exemptionKey(ownerId);
      const facts = await this.ledger.factsWithin(stores.chains);
      const given: RateLimitExemption = {
        ownerId,
        createdAt: this.clock.now().toISOString(),
        version: nextExemption(facts.versionOf(key)),
      };
      await stores.rateLimitExemptions.insert(given);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'RATE_LIMIT_EXEMPTED',
          orgId: agent.orgId,
          rows: { [key]: given.version },
          members: { ownerId },
          event: 'admin.rate_limit_exempted',
        },
      );
      return given;
    });
    this.notice.changed('rate-limit-exemption', ownerId);
    return exemption;
  }
}
