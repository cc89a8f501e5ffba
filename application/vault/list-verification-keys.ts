import type { KeyStatement, VaultKey } from '../../domain/vault/key-statement.ts';
import type { Canonicalization } from '../../domain/vault/statement.ts';
import type { Vault } from '../sealing/vault.ts';

export interface VerificationKeys {
  readonly keys: readonly VaultKey[];
  readonly statements: readonly KeyStatement[];
  readonly canonicalization: Canonicalization;
}

/**
 * Every public key that entries were ever signed with, newest first: retired ones still verify what they signed. They come with the
 * statements that prove them.
 */
export class ListVerificationKeys {
  constructor(private readonly vault: Vault) {}

  async execute(): Promise<VerificationKeys> {
    await this.vault.refreshIfRotated();
    const { keys, keyStatements: statements, seal } = this.vault;
    return { keys, statements, canonicalization: seal.canonicalization };
  }
}
