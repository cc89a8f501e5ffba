import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/**
 * Rehashes a key under the newest pepper when it is used, so that an older pepper can be dropped
 * once all keys were used.
 */
export class MoveToNewestPepper {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly keyHasher: ApiKeyHasher,
    private readonly log: Log,
  ) {}

  /** Runs in the background and never throws. After a failure the next use tries again. */
  begin(key: ApiKey, newestHash: Uint8Array): void {
    this.move(key, newestHash).catch((error: unknown) =>
      this.log.warn(
        { keyId: key.id, err: error },
        'an API key could not be moved to the newest pepper',
      ),
    );
  }

  private move(key: ApiKey, newestHash: Uint8Array): Promise<void> {
    return this.unitOfWork.transaction(async (stores) => {
      const row = await stores.apiKeys.lock(key.id);
      // A row that changed meanwhile stays as it is.
      if (!row || !this.keyHasher.sameMac(row.keyHash, key.keyHash)) return;
      await stores.apiKeys.rehash({ ...row, keyHash: newestHash });
    });
  }
}
