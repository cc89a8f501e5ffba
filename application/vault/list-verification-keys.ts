import type { VaultKey } from '../../domain/vault/key-statement.ts';
import type { Canonicalization } from '../../domain/vault/statement.ts';
import type { VaultKeyReads } from '../../domain/vault/vault-store.port.ts';
import type { Vault } from './vault.ts';

export interface VerificationKeys {
  readonly keys: readonly VaultKey[];
  readonly canonicalization: Canonicalization;
}

/** Every public key that entries were ever signed with, newest first: retired ones still verify what they signed. */
export class ListVerificationKeys {
  constructor(
    private readonly reads: VaultKeyReads,
    private readonly vault: Vault,
  ) {}

  async execute(): Promise<VerificationKeys> {
    return { keys: await this.reads.keys(), canonicalization: this.vault.seal.canonicalization };
  }
}
