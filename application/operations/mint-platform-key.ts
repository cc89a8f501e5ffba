import type { Agent } from '../../domain/identity/agent.ts';
import { isCidr } from '../../domain/identity/ip-range.ts';
import { SYSTEM_ORG_SLUG, type Org } from '../../domain/identity/org.ts';
import { DEFAULT_PROFILE, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { IssuedKey, IssueKey } from '../identity/issue-key.ts';
import { expiryOf, type KeyLifetimes } from '../identity/key-lifetime.ts';
import { keyMembers } from '../identity/key-members.ts';
import { systemOrigin, type Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { operatorAgent, operatorCreated } from './operator-agent.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';

export interface PlatformKeyInput {
  readonly label?: string;
  readonly expiresInSeconds?: number;
  /** CIDR ranges. */
  readonly allowedIps?: readonly string[];
}

/**
 * Mints a platform key for whoever holds the host and its secrets: the way back in where no platform
 * key is usable any more.
 */
export class MintPlatformKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly issueKey: IssueKey,
    private readonly lifetimes: KeyLifetimes,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws CONFLICT before the bootstrap, UNPROCESSABLE on a range that is none or a lifetime past the maximum. */
  async execute({ label, expiresInSeconds, allowedIps }: PlatformKeyInput): Promise<IssuedKey> {
    const wrong = allowedIps?.find((range) => !isCidr(range));
    if (wrong !== undefined)
      throw new NotaryError('UNPROCESSABLE', `${wrong} is not an IP address or CIDR range.`);
    const now = this.clock.now();
    const expiresAt = expiryOf(
      expiresInSeconds === undefined ? {} : { expiresInSeconds },
      this.lifetimes,
      now,
    );
    const origin = systemOrigin(this.ids.next());
    return this.unitOfWork.transaction(async (stores) => {
      const owner = await this.operator(stores, origin, now.toISOString());
      const profile = DEFAULT_PROFILE.platform;
      const issued = this.issueKey.issue({
        role: 'platform',
        ownerId: owner.id,
        orgId: null,
        label: label ?? 'minted on the host',
        scopes: SCOPE_PROFILES[profile].scopes,
        scopeProfile: profile,
        allowedIps: allowedIps ?? null,
        expiresAt,
        hasFixedExpiry: expiresInSeconds !== undefined,
        createdAt: now.toISOString(),
        createdByKeyId: null,
        rotatedFromKeyId: null,
      });
      await stores.apiKeys.insert(issued.key);
      await this.sealPlatform.seal(stores, origin, {
        entryType: 'API_KEY_MINTED',
        orgId: null,
        rows: { [issued.key.id]: issued.key.version },
        members: keyMembers(issued.key),
        event: 'key.minted',
        agentId: owner.id,
      });
      return issued;
    });
  }

  /** An active agent of the system org that owns platform keys already; a new one where none is active. */
  private async operator(stores: Stores, origin: Origin, at: string): Promise<Agent> {
    const org = await stores.orgs.findBySlug(SYSTEM_ORG_SLUG);
    if (!org || !(await stores.apiKeys.anyPlatformKey()))
      throw new NotaryError('CONFLICT', 'This notary never had a platform key.', {
        suggestion: 'Mint the first one with: notary bootstrap',
      });
    // Edited rows own nothing, and keep nobody out: this is the way back in.
    const keys = await unlessEdited(stores.apiKeys.lockSelected({ role: 'platform' }, MAX_KEYS));
    for (const id of new Set(keys?.map(({ ownerId }) => ownerId))) {
      const owner = await unlessEdited(stores.agents.lock(id));
      if (owner && owner.orgId === org.id && owner.deactivatedAt === null) return owner;
    }
    return this.newOperator(stores, origin, org, at);
  }

  private async newOperator(
    stores: Stores,
    origin: Origin,
    org: Org,
    createdAt: string,
  ): Promise<Agent> {
    const agent = operatorAgent(this.ids.next(), org.id, createdAt);
    await stores.agents.insert(agent);
    await this.sealPlatform.seal(stores, origin, operatorCreated(agent));
    return agent;
  }
}

/** How many platform keys are looked at for their owners. */
const MAX_KEYS = 100;

const unlessEdited = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: unknown) => {
    if (isDrift(error)) return null;
    throw error;
  });
