import type { HubKeyReads } from '../../domain/federation/hub-key-store.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { HubKeySecrets } from './hub-key-secrets.port.ts';

/** Encrypts hub keys under the newest SECRETS_KEY, so that an older one can be dropped. */
export class MoveHubKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly keys: HubKeyReads,
    private readonly secrets: HubKeySecrets,
  ) {}

  /** Whether a key is under an older SECRETS_KEY. */
  async isNeeded(): Promise<boolean> {
    return (await this.keys.all()).some(({ sealedPrivateKey }) => this.isOld(sealedPrivateKey));
  }

  /** @returns how many were changed. The keys themselves stay, and so does the version of their rows. */
  async run(): Promise<number> {
    if (!(await this.isNeeded())) return 0;
    return this.unitOfWork.transaction(async ({ hubKeys }) => {
      let moved = 0;
      for (const key of await hubKeys.lockAll()) {
        const { id, sealedPrivateKey } = key;
        // One that cannot be opened stays as it is: whatever needs it says so.
        const again = this.isOld(sealedPrivateKey) ? this.secrets.move(sealedPrivateKey, id) : null;
        if (!again) continue;
        await hubKeys.update({ ...key, sealedPrivateKey: again });
        moved++;
      }
      return moved;
    });
  }

  private isOld(sealed: Uint8Array | null): sealed is Uint8Array {
    return sealed !== null && this.secrets.isOld(sealed);
  }
}
