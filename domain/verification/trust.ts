import { fingerprintOf, KeyError, publicKeyFromSpki, type PublicKey } from '../vault/cose-key.ts';

/**
 * What the auditor knows from elsewhere. `spki` in DER; `sha256Hex` is the SHA-256 of one SPKI. `retired`: keys that a
 * listing shows as retired; they are not trusted, but known to be retired.
 */
export type TrustInput =
  | {
      readonly kind: 'keys';
      readonly spki: readonly Uint8Array[];
      readonly retired?: readonly Uint8Array[];
    }
  | { readonly kind: 'fingerprint'; readonly sha256Hex: string }
  | { readonly kind: 'none' };

/** Decides which keys are trusted, independently of anything that the input says. */
export interface Trust {
  readonly given: boolean;
  /** Of the trusted keys: SHA-256 of the SPKI, lowercase hex. */
  readonly fingerprints: readonly string[];
  /** Whether the key was given out of band. */
  trusts(key: PublicKey): boolean;
  /** Whether the key is known to be retired. */
  knowsRetired(key: PublicKey): boolean;
  /** The fingerprints of the trusted keys that are none of these. */
  missing(keys: readonly PublicKey[]): readonly string[];
}

/** @throws KeyError where a given key is not an acceptable Ed25519 or P-256 key, or a fingerprint is not one. */
export const trustOf = (input: TrustInput): Trust => {
  switch (input.kind) {
    case 'none':
      return pinned([], []);
    case 'fingerprint': {
      if (!/^[0-9a-f]{64}$/.test(input.sha256Hex))
        throw new KeyError('a fingerprint has 64 lowercase hex characters');
      return pinned([input.sha256Hex], []);
    }
    case 'keys': {
      const fingerprints = (spki: readonly Uint8Array[]): string[] =>
        spki.map((der) => fingerprintOf(publicKeyFromSpki(der)));
      return pinned(fingerprints(input.spki), fingerprints(input.retired ?? []));
    }
  }
};

const pinned = (trusted: readonly string[], retired: readonly string[]): Trust => ({
  given: trusted.length + retired.length > 0,
  fingerprints: trusted,
  trusts: (key) => trusted.includes(fingerprintOf(key)),
  knowsRetired: (key) => retired.includes(fingerprintOf(key)),
  missing: (keys) => {
    const present = new Set(keys.map(fingerprintOf));
    return trusted.filter((fingerprint) => !present.has(fingerprint));
  },
});
