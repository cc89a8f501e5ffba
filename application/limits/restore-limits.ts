import { actorOf } from '../../domain/identity/caller.ts';
import type { RateLimitExemption } from '../../domain/identity/rate-limit-exemption.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../change-notice.port.ts';
import type { IdempotentTransaction } from '../idempotency/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { exemptionMembers } from './exempt-owner.ts';

/** From here on the agent is limited as everybody is, from empty windows. */
export class RestoreLimits {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(
    context: CallContext,
    { ownerId }: { readonly ownerId: Uuid },
  ): Promise<RateLimitExemption> {
    const exemption = await this.idempotent.run(context, async (stores) => {
      const agent = await stores.agents.lock(ownerId);
      if (!agent) throw notFound('agent');
      const standing = await stores.rateLimitExemptions.lock(ownerId);
      if (!standing) throw notFound('rate-limit exemption');
      await stores.rateLimitExemptions.delete(standing.id);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'RATE_LIMIT_RESTORED',
          orgId: agent.orgId,
          // No row has this version, so the row cannot come back.
          rows: { [standing.id]: standing.version + 1 },
          members: exemptionMembers(standing),
          event: 'admin.rate_limit_restored',
        },
      );
      return standing;
    });
    this.notice.changed('rate-limit-exemption', ownerId);
    return exemption;
  }
}
