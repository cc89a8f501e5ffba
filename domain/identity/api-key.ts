import type { Uuid } from '../kernel/ids.ts';
import type { Role, Scope } from './scopes.ts';

/** A stored key. The key itself is not here: only its HMAC under the pepper is kept. */
export interface ApiKey {
  readonly id: Uuid;
  /** HMAC-SHA256 of the key, 32 bytes. */
  readonly keyHash: Uint8Array;
  readonly role: Role;
  readonly ownerId: Uuid;
  /** Null for platform keys. */
  readonly orgId: Uuid | null;
  readonly label: string | null;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly scopeProfile: string | null;
  /** CIDR list; null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
  readonly isActive: boolean;
  readonly expiresAt: string | null;
  /**
   * Whether the mint asked for this expiry: then no rotation outlives it. False for the lifetime that the operator gives each
   * key, which a rotation renews.
   */
  readonly hasFixedExpiry: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly createdByKeyId: Uuid | null;
  readonly rotatedFromKeyId: Uuid | null;
  /** Set while a rotated key is in its grace period. */
  readonly deactivatesAt: string | null;
  readonly revokedAt: string | null;
  readonly revokedByKeyId: Uuid | null;
  readonly revocationReason: string | null;
  readonly managedBy: 'provisioning' | null;
  /** From 1. Each change adds one, and its entry on the platform chain seals it. */
  readonly version: number;
}

/** Whether the key is valid at `now` (ISO 8601). */
export const isUsable = (key: ApiKey, now: string): boolean =>
  key.isActive &&
  (key.expiresAt === null || now < key.expiresAt) &&
  (key.deactivatesAt === null || now < key.deactivatesAt);

/**
 * Whether the key was still valid when its owner was deactivated (ISO 8601). Deactivation revokes
 * the keys, and the holder of such a key is told of the deactivation.
 */
export const wasUsableAt = (key: ApiKey, deactivatedAt: string): boolean =>
  isUsable(
    {
      ...key,
      isActive: key.isActive || (key.revokedAt !== null && key.revokedAt >= deactivatedAt),
    },
    deactivatedAt,
  );

/**
 * A platform key that never expires, or that works from any address. Each use of it is reported to
 * the operator.
 */
export const isUnbounded = (key: Pick<ApiKey, 'role' | 'expiresAt' | 'allowedIps'>): boolean =>
  key.role === 'platform' && (key.expiresAt === null || key.allowedIps === null);
