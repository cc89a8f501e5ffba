import { spkiOf } from './cose-key.ts';
import type { KeySuccession } from './key-succession.ts';
import type { VaultKey } from './key-statement.ts';

/** The keys of a succession as a listing shows them, newest activation first. Those that are not known here are left out. */
export const listedKeys = ({ keys }: KeySuccession): readonly VaultKey[] =>
  keys
    .flatMap(({ keyId, verifying, activatedAt, retiredAt }): VaultKey[] =>
      verifying
        ? [
            {
              keyId,
              algorithm: verifying.key.algorithm,
              publicKey: spkiOf(verifying.key),
              status: retiredAt === null ? 'active' : 'retired',
              activatedAt,
              retiredAt,
            },
          ]
        : [],
    )
    .reverse();
