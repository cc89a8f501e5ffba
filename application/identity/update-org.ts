import { actorOf } from '../../domain/identity/caller.ts';
import type { Org, OrgSettings } from '../../domain/identity/org.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { ownOrg } from '../call/own-org.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/** Changes what an org decides for itself: its own admin may, and the platform. */
export class UpdateOrg {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly orgId: Uuid; readonly settings: Partial<OrgSettings> },
  ): Promise<Org> {
    const { orgId } = input;
    ownOrg(context.caller, orgId);
    const updated = await this.idempotent.run(context, async (stores) => {
      const before = await stores.orgs.lock(orgId);
      if (!before) throw notFound('org');
      assertUnmanaged(context.caller, before, 'org');
      const after: Org = {
        ...before,
        settings: { ...before.settings, ...input.settings },
        version: before.version + 1,
      };
      if (after.settings.requireCoSignature === before.settings.requireCoSignature) return before;
      await stores.orgs.update(after);
      const members = {
        settings: { ...after.settings },
        previousSettings: { ...before.settings },
      };
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'ORG_UPDATED',
          orgId,
          rows: { [orgId]: after.version },
          members,
          event: 'admin.org_updated',
          eventData: { aboutOrgId: orgId, ...members },
        },
      );
      return after;
    });
    this.notice.changed('org', orgId);
    return updated;
  }
}
