import { RetiredKeyError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { payloadDrift } from './head-check.ts';
import { VaultRowError } from './prove-succession.ts';
import type { Vault } from './vault.ts';

/** Rotations that one unit of work may meet. */
const MAX_ROTATIONS = 4;

/**
 * Units of work that sign. Where the key was rotated under one, by this node or another, the vault is read anew and the
 * unit runs again, so that a caller notices nothing of a rotation.
 */
export class CurrentKeyWork implements UnitOfWork {
  constructor(
    private readonly inner: UnitOfWork,
    private readonly vault: Pick<Vault, 'refresh'>,
  ) {}

  async transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    for (let rotations = 0; ; rotations++) {
      try {
        return await this.inner.transaction(work);
      } catch (error) {
        if (!(error instanceof RetiredKeyError) || rotations >= MAX_ROTATIONS) throw error;
        await this.vault.refresh().catch((cause: unknown) => {
          // No rotation: somebody changed the row of the key, and the platform chain says otherwise.
          if (cause instanceof VaultRowError)
            throw payloadDrift(PLATFORM_CHAIN, 'the rows of the signing keys');
          throw cause;
        });
      }
    }
  }
}
