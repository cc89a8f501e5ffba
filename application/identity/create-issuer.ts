import type { Static } from 'typebox';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import {
  assertProviderUrl,
  DEFAULT_TTL_SECONDS,
  type TrustedIssuer,
} from '../../domain/identity/trusted-issuer.ts';
import { SYSTEM_ORG_SLUG } from '../../domain/identity/org.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { CreateIssuerInput } from './issuer-inputs.ts';
import { assertEnforceable, issuerMembers, mappingOf, unlessDuplicate } from './issuer-members.ts';
import { assertProviderHost } from './provider-host.ts';
import { managedByOf } from '../call/managed-rows.ts';

type Input = Static<typeof CreateIssuerInput>;

/** Registers an identity provider as a trusted issuer. */
export class CreateIssuer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(context: CallContext, input: Input): Promise<TrustedIssuer> {
    const issuer = this.issuerOf(input, managedByOf(context.caller));
    const created = await unlessDuplicate(
      this.idempotent.run(context, async (stores) => {
        const org = issuer.orgId === null ? null : await stores.orgs.find(issuer.orgId);
        if (org?.slug === SYSTEM_ORG_SLUG)
          throw new NotaryError(
            'UNPROCESSABLE',
            'The agents of the system org are the operators of the platform; no issuer of an org governs them.',
            {
              errors: [{ path: '/orgId', keyword: 'org', message: 'is the system org' }],
              suggestion: 'Name another org, or null for an issuer of the platform.',
            },
          );
        if (issuer.orgId !== null && !org)
          throw new NotaryError('UNPROCESSABLE', `There is no org ${issuer.orgId}.`, {
            errors: [{ path: '/orgId', keyword: 'org', message: 'there is no such org' }],
            suggestion: 'Name an org, or null for an issuer of the platform.',
          });
        await stores.trustedIssuers.insert(issuer);
        await this.sealPlatform.seal(
          stores,
          { actor: actorOf(context.caller), requestId: context.requestId },
          {
            entryType: 'ISSUER_CREATED',
            orgId: issuer.orgId,
            rows: { [issuer.id]: issuer.version },
            members: issuerMembers(issuer),
            event: 'issuer.created',
          },
        );
        return issuer;
      }),
    );
    this.notice.changed('issuer', created.id);
    return created;
  }

  private issuerOf(input: Input, managedBy: TrustedIssuer['managedBy']): TrustedIssuer {
    assertProviderUrl(input.issuerUrl, 'issuerUrl');
    if (input.jwksUri) assertProviderUrl(input.jwksUri, 'jwksUri');
    const now = this.clock.now().toISOString();
    const issuer: TrustedIssuer = {
      id: this.ids.next(),
      orgId: input.orgId,
      issuerUrl: input.issuerUrl,
      jwksUri: input.jwksUri ?? null,
      expectedAudience: input.expectedAudience,
      appliesTo: input.appliesTo ?? 'agent',
      claimMapping: mappingOf(input.claimMapping),
      maxCredentialTtlSeconds: input.maxCredentialTtlSeconds ?? DEFAULT_TTL_SECONDS,
      enabled: input.enabled ?? true,
      subjectAllowlist: [...new Set(input.subjectAllowlist ?? [])],
      requireProof: input.requireProof ?? 'none',
      requireCoSignature: input.requireCoSignature ?? 'none',
      managedBy,
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    assertProviderHost(issuer, this.addresses);
    assertEnforceable(issuer);
    return issuer;
  }
}
