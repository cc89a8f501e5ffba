import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { issuerMembers } from './issuer-members.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/** Deletes a trusted issuer for whose tokens no certificate was ever issued. */
export class DeleteIssuer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(
    context: CallContext,
    { issuerId }: { readonly issuerId: Uuid },
  ): Promise<TrustedIssuer> {
    const deleted = await this.idempotent.run(context, async (stores) => {
      const issuer = await stores.trustedIssuers.lock(issuerId);
      if (!issuer) throw notFound('trusted issuer');
      assertUnmanaged(context.caller, issuer, 'issuer');
      if (await stores.certs.hasMinted(issuerId))
        throw new NotaryError(
          'ROW_HAS_DEPENDENT_RECORDS',
          'Certificates were given for tokens of this issuer, so it stays known for ever.',
          {
            suggestion:
              'Disable it with PATCH and enabled false; revoke its certificates with revoke-certs.',
          },
        );
      await stores.trustedIssuers.delete(issuerId);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'ISSUER_DELETED',
          orgId: issuer.orgId,
          // No row has this version, so the row cannot come back.
          rows: { [issuer.id]: issuer.version + 1 },
          members: issuerMembers(issuer),
          event: 'issuer.deleted',
        },
      );
      return issuer;
    });
    this.notice.changed('issuer', issuerId);
    return deleted;
  }
}
