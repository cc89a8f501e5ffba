import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import {
  DEFAULT_ORG_SETTINGS,
  RESERVED_SLUGS,
  type Org,
  type OrgSettings,
} from '../../domain/identity/org.ts';
import { slugOf } from '../../domain/identity/org-slug.ts';
import { DEFAULT_PROFILE, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { IssuedKey, IssueKey } from './issue-key.ts';
import { keyMembers } from './key-members.ts';
import { expiryOf, type KeyLifetimes } from './key-lifetime.ts';
import { managedByOf } from '../call/managed-rows.ts';

export interface CreatedOrg {
  readonly org: Org;
  /** The first admin and its key, where the call asked for them. */
  readonly bootstrap: (IssuedKey & { readonly agent: Agent }) | null;
}

/** Creates an org, and with `bootstrapAdmin` its first admin agent and that agent's key. */
export class CreateOrg {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly issueKey: IssueKey,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly lifetimes: KeyLifetimes,
    private readonly ledger: PlatformLedger,
  ) {}

  async execute(
    context: CallContext,
    input: {
      readonly name: string;
      readonly slug?: string;
      readonly bootstrapAdmin?: boolean;
      readonly settings?: Partial<OrgSettings>;
    },
  ): Promise<CreatedOrg> {
    const slug = await usableSlug(input);
    return this.idempotent.run(context, async (stores) => {
      const taken = (await this.ledger.factsWithin(stores.chains)).orgOfSlug(slug);
      if (taken !== null)
        throw new NotaryError('CONFLICT', `The slug ${slug} is taken.`, {
          errors: [{ path: '/slug', keyword: 'unique', message: 'is taken' }],
          suggestion: 'Choose another slug, and send it as slug.',
        });
      const org: Org = {
        id: this.ids.next(),
        slug,
        name: input.name,
        createdAt: this.clock.now().toISOString(),
        managedBy: managedByOf(context.caller),
        settings: { ...DEFAULT_ORG_SETTINGS, ...input.settings },
        version: 1,
      };
      await stores.orgs.insert(org);
      await this.sealPlatform.seal(stores, origin(context), {
        entryType: 'ORG_CREATED',
        orgId: org.id,
        rows: { [org.id]: org.version },
        members: { slug, name: org.name, settings: { ...org.settings } },
        event: 'admin.org_created',
        eventData: { aboutOrgId: org.id, slug, name: org.name },
      });
      return {
        org,
        bootstrap: input.bootstrapAdmin ? await this.bootstrap(stores, context, org) : null,
      };
    });
  }

  private async bootstrap(
    stores: Stores,
    context: CallContext,
    org: Org,
  ): Promise<CreatedOrg['bootstrap']> {
    const agent: Agent = {
      id: this.ids.next(),
      orgId: org.id,
      name: 'admin',
      displayName: `${org.name} admin`,
      capabilities: [],
      deactivatedAt: null,
      deactivationReason: null,
      absences: [],
      managedBy: managedByOf(context.caller),
      createdAt: org.createdAt,
      version: 1,
    };
    const profile = DEFAULT_PROFILE.admin;
    const issued = this.issueKey.issue({
      role: 'admin',
      ownerId: agent.id,
      orgId: org.id,
      label: 'bootstrap admin',
      scopes: SCOPE_PROFILES[profile].scopes,
      scopeProfile: profile,
      allowedIps: null,
      expiresAt: expiryOf({}, this.lifetimes, this.clock.now()),
      createdAt: org.createdAt,
      createdByKeyId: context.caller.apiKeyId,
      rotatedFromKeyId: null,
    });
    await stores.agents.insert(agent);
    await stores.apiKeys.insert(issued.key);
    await this.sealPlatform.seal(stores, origin(context), {
      entryType: 'AGENT_CREATED',
      orgId: org.id,
      rows: { [agent.id]: agent.version },
      members: { agentId: agent.id, name: agent.name },
      event: 'agent.created',
      agentId: agent.id,
    });
    await this.sealPlatform.seal(stores, origin(context), {
      entryType: 'API_KEY_MINTED',
      orgId: org.id,
      rows: { [issued.key.id]: issued.key.version },
      members: keyMembers(issued.key),
      event: 'admin.org_bootstrapped',
      eventData: { aboutOrgId: org.id, ...keyMembers(issued.key) },
      agentId: agent.id,
    });
    return { ...issued, agent };
  }
}

const usableSlug = async (input: {
  readonly name: string;
  readonly slug?: string;
}): Promise<string> => {
  const slug = input.slug ?? (await slugOf(input.name));
  if (RESERVED_SLUGS.has(slug))
    throw new NotaryError('UNPROCESSABLE', `The slug ${slug} is reserved.`, {
      errors: [{ path: '/slug', keyword: 'reserved', message: 'is reserved' }],
      suggestion: 'Choose another slug.',
    });
  return slug;
};

const origin = (context: CallContext) => ({
  actor: actorOf(context.caller),
  requestId: context.requestId,
});
