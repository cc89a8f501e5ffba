import { bytesEqual } from '../kernel/digest.ts';
import { fingerprintOf, KeyError, publicKeyFromSpki, type PublicKey } from '../vault/cose-key.ts';

/** What the auditor knows from elsewhere. `spki` in DER; `sha256Hex` is the SHA-256 of one SPKI. */
export type TrustInput =
  | { readonly kind: 'keys'; readonly spki: readonly Uint8Array[] }
  | { readonly kind: 'fingerprint'; readonly sha256Hex: string }
  | { readonly kind: 'none' };

/** Decides which keys are trusted, independently of anything that the input says. */
export interface Trust {
  readonly given: boolean;
  /** Whether the key was given out of band. */
  trusts(key: PublicKey): boolean;
}

/** @throws KeyError where a given key is not an acceptable Ed25519 or P-256 key, or a fingerprint is not one. */
export const trustOf = (input: TrustInput): Trust => {
  switch (input.kind) {
    case 'none':
      return { given: false, trusts: () => false };
    case 'fingerprint': {
      if (!/^[0-9a-f]{64}$/.test(input.sha256Hex))
        throw new KeyError('a fingerprint has 64 lowercase hex characters');
      return { given: true, trusts: (key) => fingerprintOf(key) === input.sha256Hex };
    }
    case 'keys': {
      const keys = input.spki.map(publicKeyFromSpki);
      return {
        given: keys.length > 0,
        trusts: (key) =>
          keys.some((known) => known.algorithm === key.algorithm && bytesEqual(known.raw, key.raw)),
      };
    }
  }
};
