import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';

/** How many keys one unit of work revokes. With so few, nobody waits long for its locks. */
export const KEYS_PER_UNIT = 25;

/** The change to the keys of a deactivated agent: none of them is valid. */
const REASON = 'The agent was deactivated.';

/** Revokes keys, with one entry for each. */
export class RevokeKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly clock: Clock,
  ) {}

  /** @param keys active ones, locked by this unit of work. */
  revoke(
    stores: Stores,
    { caller, requestId }: CallContext,
    keys: readonly ApiKey[],
    reason: string | null,
    at = this.clock.now().toISOString(),
  ): Promise<readonly ApiKey[]> {
    const origin = { actor: actorOf(caller), requestId };
    return this.revokeAs(stores, { origin, keyId: caller.apiKeyId }, keys, reason, at);
  }

  /** @param by who revokes, and with which key; null: with none. */
  async revokeAs(
    stores: Stores,
    by: { readonly origin: Origin; readonly keyId: Uuid | null },
    keys: readonly ApiKey[],
    reason: string | null,
    at: string,
  ): Promise<readonly ApiKey[]> {
    const revoked = keys.map((key): ApiKey => ({
      ...key,
      isActive: false,
      revokedAt: at,
      revokedByKeyId: by.keyId,
      revocationReason: reason,
      version: key.version + 1,
    }));
    for (const key of revoked) {
      await stores.apiKeys.update(key);
      const members = { apiKeyId: key.id, role: key.role, ownerId: key.ownerId, reason };
      await this.sealPlatform.seal(stores, by.origin, {
        entryType: 'API_KEY_REVOKED',
        orgId: key.orgId,
        rows: { [key.id]: key.version },
        members,
        event: 'key.revoked',
        agentId: key.ownerId,
      });
    }
    return revoked;
  }

  /**
   * Revokes some active keys of a deactivated agent.
   *
   * @returns how many. Fewer than KEYS_PER_UNIT means that these were the last.
   */
  async revokeSomeOf(
    stores: Stores,
    context: CallContext,
    ownerId: Uuid,
    at?: string,
  ): Promise<number> {
    const keys = await stores.apiKeys.lockSelected({ ownerId, isActive: true }, KEYS_PER_UNIT);
    return (await this.revoke(stores, context, keys, REASON, at)).length;
  }

  /**
   * Revokes all keys of the agent, in as many units of work as needed, unless the agent is active.
   */
  async revokeAllOf(context: CallContext, ownerId: Uuid): Promise<void> {
    const some = (stores: Stores): Promise<number> =>
      stores.agents
        .lock(ownerId)
        .then((agent) => (agent?.deactivatedAt ? this.revokeSomeOf(stores, context, ownerId) : 0));
    while ((await this.unitOfWork.transaction(some, context)) === KEYS_PER_UNIT);
  }
}
