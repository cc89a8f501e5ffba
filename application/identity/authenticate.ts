import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import { isUnbounded, isUsable, wasUsableAt, type ApiKey } from '../../domain/identity/api-key.ts';
import { hasKeyForm, INVALID_KEY, looksLikeApiKey } from '../../domain/identity/api-key-secret.ts';
import { actorOf, type Caller } from '../../domain/identity/caller.ts';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import type { ApiKeyReads, KeyUseLog } from '../../domain/identity/identity-store.port.ts';
import { inRanges } from '../../domain/identity/ip-range.ts';
import { expandScopes } from '../../domain/identity/scopes.ts';
import type { MoveToNewestPepper } from './move-to-newest-pepper.ts';
import type { SummedEvents } from '../event/summed-events.ts';
import type { Rest } from '../ports/sums.ts';
import { accountDeactivated } from './account-deactivated.ts';
import { RefusedCredential } from '../call/refused-credential.ts';

/**
 * Finds out who calls with an API key. An unknown key, a revoked one, an expired one and one from a
 * forbidden address get the same refusal, which does not tell which it was.
 */
export class Authenticate {
  private readonly callers = new WeakMap<ApiKey, Caller>();

  constructor(
    private readonly apiKeys: ApiKeyReads,
    private readonly keyHasher: ApiKeyHasher,
    private readonly keyUse: KeyUseLog,
    private readonly newestPepper: Pick<MoveToNewestPepper, 'begin'>,
    private readonly uses: Pick<SummedEvents, 'tell'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws UNAUTHORIZED where there is no valid key, ACCOUNT_DEACTIVATED where its owner is
   *   deactivated.
   */
  async authenticate(input: {
    readonly token: string | undefined;
    readonly address: string;
    readonly requestId: string;
  }): Promise<Caller> {
    const hashes = this.hashesOf(input.token);
    const credential = await this.apiKeys.findCredential(hashes).catch(refuseEdited);
    if (!credential) throw invalidKey(new RefusedCredential('unknown'));
    const { key, owner } = credential;
    if (!isAllowedFrom(key, input.address)) throw invalidKey(new RefusedCredential('address', key));
    if (owner.deactivatedAt && wasUsableAt(key, owner.deactivatedAt))
      throw accountDeactivated(
        { id: key.ownerId, deactivatedAt: owner.deactivatedAt },
        new RefusedCredential('account_deactivated', key),
      );
    const now = this.clock.now();
    if (owner.deactivatedAt || !isUsable(key, now.toISOString()))
      throw invalidKey(new RefusedCredential(key.isActive ? 'expired' : 'revoked', key));
    if (key.lastUsedAt !== null) this.keyUse.touch(key.id, now);
    else if (!(await this.keyUse.begin(key.id, now)))
      throw invalidKey(new RefusedCredential('revoked', key));
    const [newest] = hashes;
    if (newest && hashes.length > 1 && !this.keyHasher.sameMac(key.keyHash, newest))
      this.newestPepper.begin(key, newest);
    const caller = this.callerOf(key, owner.displayName);
    if (isUnbounded(key)) this.tellUse(key, caller, input);
    return caller;
  }

  /** Under each pepper, newest first. */
  private hashesOf(token: string | undefined): readonly Uint8Array[] {
    if (!token)
      throw new NotaryError(
        'UNAUTHORIZED',
        'The API key is missing.',
        {},
        { cause: new RefusedCredential('missing') },
      );
    if (!looksLikeApiKey(token))
      throw invalidKey(new RefusedCredential('malformed'), { recoveryHint: hintOf(token) });
    return this.keyHasher.hashes(token);
  }

  /** The same cached row gives the same caller, so its scopes are expanded once. */
  private callerOf(key: ApiKey, name: string): Caller {
    const known = this.callers.get(key);
    if (known) return known;
    const caller: Caller = {
      role: key.role,
      authType: 'api_key',
      apiKeyId: key.id,
      agentId: key.ownerId,
      orgId: key.orgId,
      name,
      scopes: key.scopes,
      allowed: expandScopes(key.scopes),
      allowedIps: key.allowedIps,
      cert: null,
      oidc: null,
    };
    this.callers.set(key, caller);
    return caller;
  }

  private tellUse(
    key: ApiKey,
    caller: Caller,
    { address, requestId }: { readonly address: string; readonly requestId: string },
  ): void {
    const { kind, agentId } = actorOf(caller);
    this.uses.tell({
      group: `${key.id} ${address}`,
      type: 'key.used',
      orgId: null,
      partyAgentId: key.ownerId,
      agentId: key.ownerId,
      data: {
        apiKeyId: key.id,
        label: key.label,
        expiresAt: key.expiresAt,
        allowedIps: key.allowedIps === null ? null : [...key.allowedIps],
        address,
        actor: { kind, agentId: agentId ?? null },
      },
      requestId,
    });
  }
}

/** What is told of uses that found no place of their own. */
export const OTHER_USES: Rest = {
  type: 'key.used',
  orgId: null,
  partyAgentId: null,
  agentId: null,
  data: {
    apiKeyId: null,
    label: null,
    expiresAt: null,
    allowedIps: null,
    address: null,
    actor: { kind: 'system', agentId: null },
  },
};

const isAllowedFrom = (key: ApiKey, address: string): boolean =>
  key.allowedIps === null || inRanges(address, key.allowedIps);

/** The row of a key that somebody else wrote is as good as none. The store raised the alarm. */
const refuseEdited = (error: unknown): never => {
  throw isDrift(error)
    ? invalidKey(new RefusedCredential('edited', null, { cause: error }))
    : error;
};

/** What can be said about a text that is no key, for it says nothing about which keys there are. */
const hintOf = (token: string): string =>
  hasKeyForm(token)
    ? 'The checksum at the end of this key does not fit: it was mistyped or cut. Copy the key again, as it was shown when it was minted.'
    : 'This text does not have the form of an API key, which is svc_agt_, svc_adm_ or svc_plt_ and 49 letters and digits. Copy the key again, as it was shown when it was minted.';

const invalidKey = (cause?: unknown, members: ProblemMembers = {}): NotaryError =>
  new NotaryError('UNAUTHORIZED', INVALID_KEY, members, { cause });
