import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { apiKeyMacInput, isUsable, type ApiKey } from '../../domain/identity/api-key.ts';
import { looksLikeApiKey } from '../../domain/identity/api-key-secret.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { AgentReads, ApiKeyReads, KeyUseLog, KeyVault } from '../../domain/identity/identity-store.port.ts';
import { inRanges } from '../../domain/identity/ip-range.ts';
import { expandScopes } from '../../domain/identity/scopes.ts';
import type { Log } from '../log.port.ts';

/** Who calls. The same refusal for an unknown, a revoked, an expired and a forbidden-address key: none tells which. */
export class Authenticate {
  private readonly callers = new WeakMap<ApiKey, Caller>();

  constructor(
    private readonly apiKeys: ApiKeyReads,
    private readonly agents: AgentReads,
    private readonly keyVault: KeyVault,
    private readonly keyUse: KeyUseLog,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @throws UNAUTHORIZED where there is no valid key, ACCOUNT_DEACTIVATED where its owner is deactivated.
   */
  async execute(input: { readonly authorization: string | undefined; readonly address: string }): Promise<Caller> {
    const key = await this.keyOf(input.authorization);
    const now = this.clock.now();
    if (!key || !isUsable(key, now.toISOString()) || !isAllowedFrom(key, input.address)) throw invalidKey();
    if (!this.isGenuine(key)) throw invalidKey();
    const owner = await this.agents.find(key.ownerId);
    if (!owner) throw invalidKey();
    if (owner.deactivatedAt) throw new NotaryError('ACCOUNT_DEACTIVATED', `The agent ${owner.id} was deactivated at ${owner.deactivatedAt}.`);
    this.keyUse.touch(key.id, now);
    return this.callerOf(key, owner.displayName);
  }

  private async keyOf(authorization: string | undefined): Promise<ApiKey | null> {
    const token = bearerOf(authorization);
    if (!looksLikeApiKey(token)) throw invalidKey();
    for (const hash of this.keyVault.hashes(token)) {
      const key = await this.apiKeys.findByHash(hash);
      if (key) return key;
    }
    return null;
  }

  /** A row that was raised by an edit of the database opens nothing, and is an alarm. */
  private isGenuine(key: ApiKey): boolean {
    if (this.callers.has(key)) return true;
    if (this.keyVault.macs(apiKeyMacInput(key)).some((mac) => this.keyVault.sameMac(mac, key.rowMac))) return true;
    this.log.error({ keyId: key.id, alarm: 'api_key_row_mac' }, 'an API key row was changed behind the service');
    return false;
  }

  /** A cached row gives the same caller, so what it may do is worked out once. */
  private callerOf(key: ApiKey, name: string): Caller {
    const known = this.callers.get(key);
    if (known) return known;
    const caller: Caller = { role: key.role, authType: 'api_key', apiKeyId: key.id, agentId: key.ownerId, orgId: key.orgId, name, scopes: key.scopes, allowed: expandScopes(key.scopes), allowedIps: key.allowedIps };
    this.callers.set(key, caller);
    return caller;
  }
}

const isAllowedFrom = (key: ApiKey, address: string): boolean => key.allowedIps === null || inRanges(address, key.allowedIps);

const bearerOf = (authorization: string | undefined): string => {
  if (!authorization) throw new NotaryError('UNAUTHORIZED', 'The API key is missing.');
  const match = /^Bearer +([^ ]+)$/i.exec(authorization);
  if (!match) throw new NotaryError('UNAUTHORIZED', 'The Authorization header must read "Bearer <API_KEY>".');
  return match[1] as string;
};

const invalidKey = (): NotaryError => new NotaryError('UNAUTHORIZED', 'Invalid or inactive API key.');
