import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import { formatApiKey } from '../../domain/identity/api-key-secret.ts';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';

export interface IssuedKey {
  readonly key: ApiKey;
  /** The key itself. It is shown once and stored nowhere. */
  readonly apiKey: string;
}

/** The members of a new key that are decided elsewhere. */
export type KeyGrant = Pick<
  ApiKey,
  | 'role'
  | 'ownerId'
  | 'orgId'
  | 'label'
  | 'scopes'
  | 'scopeProfile'
  | 'allowedIps'
  | 'expiresAt'
  | 'createdAt'
  | 'createdByKeyId'
  | 'rotatedFromKeyId'
> &
  Partial<Pick<ApiKey, 'managedBy' | 'hasFixedExpiry'>>;

/** Makes new keys: the random text and its hash. */
export class IssueKey {
  constructor(
    private readonly keyHasher: ApiKeyHasher,
    private readonly ids: IdSource,
    private readonly environment: ApiKey['environment'],
  ) {}

  issue(grant: KeyGrant): IssuedKey {
    const apiKey = formatApiKey(grant.role, this.keyHasher.random());
    const id: Uuid = this.ids.next();
    const key: ApiKey = {
      ...grant,
      hasFixedExpiry: grant.hasFixedExpiry ?? false,
      id,
      keyHash: this.keyHasher.hashes(apiKey)[0] as Uint8Array,
      environment: this.environment,
      isActive: true,
      lastUsedAt: null,
      deactivatesAt: null,
      revokedAt: null,
      revokedByKeyId: null,
      revocationReason: null,
      managedBy: grant.managedBy ?? null,
      version: 1,
    };
    return { key, apiKey };
  }
}
