import type { Static } from 'typebox';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { assertProviderUrl, type TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { UpdateIssuerInput } from './issuer-inputs.ts';
import { assertEnforceable, issuerMembers, mappingOf, unlessDuplicate } from './issuer-members.ts';
import { assertProviderHost } from './provider-host.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/**
 * Changes how far an identity provider is trusted. Existing certificates stay valid until they
 * expire or are revoked.
 */
export class UpdateIssuer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
    private readonly addresses: AddressRules,
  ) {}

  async execute(
    context: CallContext,
    { issuerId, changes }: Static<typeof UpdateIssuerInput>,
  ): Promise<TrustedIssuer> {
    if (changes.jwksUri) assertProviderUrl(changes.jwksUri, 'jwksUri');
    const updated = await unlessDuplicate(
      this.idempotent.run(context, async (stores) => {
        const before = await stores.trustedIssuers.lock(issuerId);
        if (!before) throw notFound('trusted issuer');
        assertUnmanaged(context.caller, before, 'issuer');
        const { claimMapping, subjectAllowlist, ...plain } = changes;
        const after: TrustedIssuer = {
          ...before,
          ...plain,
          claimMapping: mappingOf(claimMapping, before.claimMapping),
          subjectAllowlist: subjectAllowlist
            ? [...new Set(subjectAllowlist)]
            : before.subjectAllowlist,
          updatedAt: this.clock.now().toISOString(),
          version: before.version + 1,
        };
        if (changes.jwksUri !== undefined) assertProviderHost(after, this.addresses);
        assertEnforceable(after);
        await stores.trustedIssuers.update(after);
        await this.sealPlatform.seal(
          stores,
          { actor: actorOf(context.caller), requestId: context.requestId },
          {
            entryType: 'ISSUER_UPDATED',
            orgId: after.orgId,
            rows: { [after.id]: after.version },
            members: issuerMembers(after),
            event: 'issuer.updated',
          },
        );
        return after;
      }),
    );
    this.notice.changed('issuer', issuerId);
    return updated;
  }
}
