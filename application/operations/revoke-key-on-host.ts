import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { RevokeKeys } from '../identity/revoke-keys.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

export interface RevokedOnHost {
  readonly key: ApiKey;
  /** False where it was revoked before, and nothing changed. */
  readonly wasActive: boolean;
  /** Whether a key is left that governs the platform. */
  readonly isPlatformGoverned: boolean;
}

/**
 * Revokes any key for whoever holds the host and its secrets. The last key of the platform is no
 * exception: the host mints another.
 */
export class RevokeKeyOnHost {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly revokeKeys: RevokeKeys,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws NOT_FOUND */
  async execute(input: { readonly keyId: Uuid; readonly reason?: string }): Promise<RevokedOnHost> {
    const now = this.clock.now();
    const origin = systemOrigin(this.ids.next());
    return this.unitOfWork.transaction(async (stores) => {
      const key = await stores.apiKeys.lock(input.keyId);
      if (!key) throw notFound('API key');
      const [revoked] = key.isActive
        ? await this.revokeKeys.revokeAs(
            stores,
            { origin, keyId: null },
            [key],
            input.reason ?? 'Revoked on the host.',
            now.toISOString(),
          )
        : [key];
      return {
        key: revoked ?? key,
        wasActive: key.isActive,
        isPlatformGoverned: await stores.apiKeys.isGovernedBeside(null, { ids: [key.id] }, now),
      };
    });
  }
}
