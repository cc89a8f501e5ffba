import type { Static } from 'typebox';
import { assertEventTypes } from '../../domain/delivery/event-names.ts';
import { chooseScheme } from '../../domain/delivery/choose-scheme.ts';
import { CLOSED } from '../../domain/delivery/circuit.ts';
import type { DeliveryScheme } from '../../domain/delivery/delivery-signature.ts';
import { ANY, MAX_SUBSCRIPTIONS, type Subscription } from '../../domain/delivery/subscription.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import { SYSTEM_ORG_SLUG } from '../../domain/identity/org.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Vault } from '../sealing/vault.ts';
import { markNow } from './mark-now.ts';
import { sealWebhook } from './webhook-acts.ts';
import type { CreateWebhookInput } from './webhook-inputs.ts';
import type { WebhookSecrets } from './webhook-secrets.port.ts';
import type { WebhookWithSecret } from './webhook-view.ts';
import { managedByOf } from '../call/managed-rows.ts';
import { assertReceiver } from './receiver-host.ts';

/** Tells a receiver what happens from now on. */
export class CreateWebhook {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly secrets: WebhookSecrets,
    private readonly events: EventReads,
    private readonly orgs: OrgReads,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(
    context: CallContext,
    input: Static<typeof CreateWebhookInput>,
  ): Promise<WebhookWithSecret> {
    assertReceiver(input.url, this.addresses);
    assertEventTypes(input.eventTypes);
    const owner = await this.ownerFor(context.caller, input.orgId);
    const usable = ALGORITHMS[this.vault.seal.signer.algorithm].httpSignature as DeliveryScheme;
    const scheme = chooseScheme(input.signingAlg, input.eventTypes, usable);
    const id = this.ids.next();
    const secret = scheme === 'hmac' ? this.secrets.make() : null;
    const { number: position, at } = await markNow(this.events, this.clock);
    const subscription: Subscription = {
      id,
      ...owner,
      url: input.url,
      eventTypes: [...new Set(input.eventTypes)],
      recordTypes: [...new Set(input.recordTypes ?? [ANY])],
      format: input.format ?? 'standard',
      scheme,
      secret: secret === null ? null : this.secrets.seal(secret, id),
      previousSecret: null,
      previousSecretUntil: null,
      managedBy: managedByOf(context.caller),
      recordId: null,
      push: null,
      startsAfter: position,
      gaps: [],
      deletedAt: null,
      createdAt: at,
      version: 1,
    };
    return this.idempotent.run(context, async (stores) => {
      if ((await stores.webhooks.countOf(owner.orgId)) >= MAX_SUBSCRIPTIONS)
        throw new NotaryError(
          'UNPROCESSABLE',
          `The org has ${MAX_SUBSCRIPTIONS} webhooks, which is as many as there may be.`,
          { suggestion: 'Delete one that is not needed, or let one receiver take more types.' },
        );
      await stores.webhooks.insert(subscription);
      await sealWebhook(this.sealPlatform, stores, originOf(context), 'created', subscription);
      const reader = {
        subscriptionId: id,
        position,
        eventSequence: 0,
        circuit: CLOSED,
        dueAt: null,
      };
      return { subscription, reader, secret, at };
    });
  }

  private async ownerFor(
    caller: Caller,
    orgId: string | undefined,
  ): Promise<Pick<Subscription, 'orgId' | 'ownerType' | 'ownerId' | 'platformAgentId'>> {
    const { role, agentId, isProvisioning } = caller;
    if (role === 'platform') {
      if (orgId === undefined)
        throw new NotaryError(
          'ORG_REQUIRED',
          'A webhook belongs to an org; a platform key must name it with the query parameter orgId.',
        );
      const org = await this.orgs.find(orgId);
      if (!org) throw notFound('org');
      if (agentId === null && !isProvisioning)
        throw new NotaryError(
          'FORBIDDEN',
          'This credential belongs to no agent, so nobody could reach the webhook again.',
          { suggestion: 'Use a platform API key.' },
        );
      const ownerType = org.slug === SYSTEM_ORG_SLUG ? 'platform' : 'org';
      return { orgId, ownerType, ownerId: orgId, platformAgentId: agentId };
    }
    if (caller.orgId === null || (orgId !== undefined && orgId !== caller.orgId))
      throw notFound('org');
    if (role === 'agent' && agentId !== null)
      return { orgId: caller.orgId, ownerType: 'agent', ownerId: agentId, platformAgentId: null };
    return { orgId: caller.orgId, ownerType: 'org', ownerId: caller.orgId, platformAgentId: null };
  }
}
