import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import { INVALID_KEY } from '../../domain/identity/api-key-secret.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { IssuedKey, IssueKey } from './issue-key.ts';
import { keyMembers } from './key-members.ts';
import { expiryOf, type KeyLifetimes } from './key-lifetime.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

export interface RotatedKey extends IssuedKey {
  readonly previousKeyId: Uuid;
  /** ISO 8601. */
  readonly previousKeyDeactivatesAt: string;
}

/** Replaces the calling key with a new one that may do exactly the same. */
export class RotateKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly issueKey: IssueKey,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
    private readonly lifetimes: KeyLifetimes,
    private readonly maxGraceSeconds: number,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly gracePeriodSeconds?: number },
  ): Promise<RotatedKey> {
    const { apiKeyId, agentId } = context.caller;
    if (!apiKeyId)
      throw new NotaryError(
        'UNPROCESSABLE',
        'Only an API key rotates; this credential is not one.',
        { suggestion: 'Obtain a new credential where this one came from.' },
      );
    const grace = Math.min(input.gracePeriodSeconds ?? 0, this.maxGraceSeconds);
    const rotated = await this.idempotent.run(context, async (stores) => {
      const now = this.clock.now();
      // Locked in this order, because a deactivation at the same time would not revoke the new key.
      const owner = agentId && (await stores.agents.lock(agentId));
      const key = await stores.apiKeys.lock(apiKeyId);
      if (!key?.isActive || !owner) throw new NotaryError('UNAUTHORIZED', INVALID_KEY);
      assertUnmanaged(context.caller, key, 'key');
      assertNotInGrace(key);
      const issued = this.issueKey.issue({
        ...key,
        expiresAt: this.expiryAfter(key, now),
        createdAt: now.toISOString(),
        createdByKeyId: key.id,
        rotatedFromKeyId: key.id,
      });
      const previousKeyDeactivatesAt = earlier(
        new Date(now.getTime() + grace * 1000).toISOString(),
        key.expiresAt,
      );
      const previous: ApiKey = {
        ...key,
        deactivatesAt: previousKeyDeactivatesAt,
        version: key.version + 1,
        ...(grace > 0
          ? {}
          : {
              isActive: false,
              revokedAt: previousKeyDeactivatesAt,
              revokedByKeyId: key.id,
              revocationReason: 'rotated',
            }),
      };
      await stores.apiKeys.update(previous);
      await stores.apiKeys.insert(issued.key);
      const members = {
        ...keyMembers(issued.key),
        previousApiKeyId: key.id,
        previousKeyDeactivatesAt,
      };
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'API_KEY_ROTATED',
          orgId: key.orgId,
          rows: { [issued.key.id]: issued.key.version, [key.id]: previous.version },
          members,
          event: 'key.rotated',
          agentId: key.ownerId,
        },
      );
      return { ...issued, previousKeyId: key.id, previousKeyDeactivatesAt };
    });
    this.notice.changed('api-key', apiKeyId);
    return rotated;
  }

  /** An expiry that the mint asked for stays. The operator's lifetime begins anew, and is no longer than what applies now. */
  private expiryAfter({ expiresAt, hasFixedExpiry, createdAt }: ApiKey, now: Date): string | null {
    const { maxSeconds } = this.lifetimes;
    if (expiresAt === null) return expiryOf({}, this.lifetimes, now);
    const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
    const end = hasFixedExpiry ? expiresAt : new Date(now.getTime() + lifetime).toISOString();
    const latest = expiryOf({}, { defaultSeconds: null, maxSeconds }, now);
    return earlier(end, latest);
  }
}

/** @param other null: never. */
const earlier = (instant: string, other: string | null): string =>
  other !== null && other < instant ? other : instant;

const assertNotInGrace = (key: ApiKey): void => {
  if (key.deactivatesAt === null) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `This key was rotated already and lives until ${key.deactivatesAt}.`,
    { suggestion: 'Use the key that replaced it.' },
  );
};
