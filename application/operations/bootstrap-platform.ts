import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import { DEFAULT_ORG_SETTINGS, SYSTEM_ORG_SLUG, type Org } from '../../domain/identity/org.ts';
import { DEFAULT_PROFILE, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import type { IssuedKey, IssueKey } from '../identity/issue-key.ts';
import { expiryOf, type KeyLifetimes } from '../identity/key-lifetime.ts';
import { keyMembers } from '../identity/key-members.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { operatorAgent, operatorCreated } from './operator-agent.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/**
 * Mints the first platform key of a hub, with the system org and the operator agent that owns it. The key expires only if the
 * operator set a maximal lifetime.
 */
export class BootstrapPlatform {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly issueKey: IssueKey,
    private readonly lifetimes: KeyLifetimes,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @returns null where a platform key exists already: this is done once. */
  async executeIfEmpty(): Promise<IssuedKey | null> {
    const origin = { actor: SYSTEM_ACTOR, requestId: this.ids.next() };
    const now = this.clock.now();
    const createdAt = now.toISOString();
    return this.unitOfWork.transaction(async (stores) => {
      if (await stores.apiKeys.anyPlatformKey()) return null;
      const org: Org = {
        id: this.ids.next(),
        slug: SYSTEM_ORG_SLUG,
        name: 'System',
        createdAt,
        managedBy: null,
        settings: DEFAULT_ORG_SETTINGS,
        version: 1,
      };
      const agent = operatorAgent(this.ids.next(), org.id, createdAt);
      const profile = DEFAULT_PROFILE.platform;
      const issued = this.issueKey.issue({
        role: 'platform',
        ownerId: agent.id,
        orgId: null,
        label: 'first platform key',
        scopes: SCOPE_PROFILES[profile].scopes,
        scopeProfile: profile,
        allowedIps: null,
        expiresAt: expiryOf({}, { ...this.lifetimes, defaultSeconds: null }, now),
        createdAt,
        createdByKeyId: null,
        rotatedFromKeyId: null,
      });
      await stores.orgs.insert(org);
      await stores.agents.insert(agent);
      await stores.apiKeys.insert(issued.key);
      await this.sealPlatform.seal(stores, origin, {
        entryType: 'ORG_CREATED',
        orgId: org.id,
        rows: { [org.id]: org.version },
        members: { slug: org.slug, name: org.name, settings: { ...org.settings } },
        event: 'admin.org_created',
        eventData: { aboutOrgId: org.id, slug: org.slug, name: org.name },
      });
      await this.sealPlatform.seal(stores, origin, operatorCreated(agent));
      await this.sealPlatform.seal(stores, origin, {
        entryType: 'API_KEY_MINTED',
        orgId: null,
        rows: { [issued.key.id]: issued.key.version },
        members: keyMembers(issued.key),
        event: 'key.minted',
        agentId: agent.id,
      });
      return issued;
    });
  }

  /** Whether a platform key exists, usable or not. */
  isDone(): Promise<boolean> {
    return this.unitOfWork.transaction((stores) => stores.apiKeys.anyPlatformKey());
  }

  async execute(): Promise<IssuedKey> {
    const issued = await this.executeIfEmpty();
    if (!issued)
      throw new NotaryError('CONFLICT', 'A platform key exists already; bootstrap is done once.', {
        suggestion:
          'Mint further keys with a platform key, at POST /v1/admin/api-keys. If no platform key can be used any more, mint one with: notary keys mint',
      });
    return issued;
  }
}
