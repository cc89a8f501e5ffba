import type { Static } from 'typebox';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { UpdateKeyInput } from './api-key-inputs.ts';
import type { RevokeKeys } from './revoke-keys.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

type Input = Static<typeof UpdateKeyInput>;

/** Revokes a key, or lets a platform operator bring it back. Doing either again changes nothing. */
export class UpdateKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly revokeKeys: RevokeKeys,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(context: CallContext, input: Input): Promise<ApiKey> {
    const key = await this.idempotent.run(context, (stores) => this.change(stores, context, input));
    this.notice.changed('api-key', key.id);
    return key;
  }

  private async change(stores: Stores, context: CallContext, input: Input): Promise<ApiKey> {
    const { caller } = context;
    const key = await stores.apiKeys.lock(input.keyId);
    if (!key || (caller.role !== 'platform' && (key.orgId === null || key.orgId !== caller.orgId)))
      throw notFound('API key');
    if (input.isActive && caller.role !== 'platform')
      throw new NotaryError(
        'PLATFORM_REQUIRED',
        'Only a platform key brings a revoked key back; this one has the role admin.',
      );
    assertUnmanaged(caller, key, 'key');
    if (key.isActive === input.isActive) return key;
    if (!input.isActive)
      return (
        await this.revokeKeys.revoke(stores, context, [key], input.reason ?? null)
      )[0] as ApiKey;
    await assertOwnerActive(stores, key);
    const changed = {
      ...key,
      isActive: true,
      deactivatesAt: null,
      revokedAt: null,
      revokedByKeyId: null,
      revocationReason: null,
      version: key.version + 1,
    };
    await stores.apiKeys.update(changed);
    const eventData = {
      apiKeyId: key.id,
      role: key.role,
      ownerId: key.ownerId,
      reason: input.reason ?? null,
    };
    await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId: context.requestId },
      {
        entryType: 'API_KEY_REENABLED',
        orgId: key.orgId,
        rows: { [key.id]: changed.version },
        members: { ...eventData, reenabled: true },
        event: 'key.enabled',
        eventData,
        agentId: key.ownerId,
      },
    );
    return changed;
  }
}

/** A deactivated agent has no active key, so its reactivation makes none valid. */
const assertOwnerActive = async (stores: Stores, key: ApiKey): Promise<void> => {
  const owner = await stores.agents.lock(key.ownerId);
  if (!owner?.deactivatedAt) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `The owner of the key, agent ${owner.id}, was deactivated at ${owner.deactivatedAt}.`,
    { suggestion: 'Reactivate the agent first.' },
  );
};
