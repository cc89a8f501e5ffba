import {
  fingerprintOf,
  keyIdOf,
  KeyError,
  publicKeyFromSpki,
  type PublicKey,
} from '../../vault/cose-key.ts';

/** What is known of the retirement of a key. */
export interface KnownRetirement {
  readonly keyId: string;
  /** Null where the listing does not say. */
  readonly reason: 'scheduled' | 'compromised' | null;
  /** ISO 8601 with milliseconds; null where the listing does not say. */
  readonly at: string | null;
}

/**
 * What the auditor knows from elsewhere. `spki` in DER; `sha256Hex` is the SHA-256 of one SPKI, `keyId` the first 32 hex
 * characters of one RFC 9679 thumbprint, as a signed structure names its key. `retired`: keys that a
 * listing shows as retired; they are not trusted, but known to be retired, and `retirements` says how.
 */
export type TrustInput =
  | {
      readonly kind: 'keys';
      readonly spki: readonly Uint8Array[];
      readonly retired?: readonly Uint8Array[];
      readonly retirements?: readonly KnownRetirement[];
    }
  | { readonly kind: 'fingerprint'; readonly sha256Hex: string }
  | { readonly kind: 'keyId'; readonly keyId: string }
  /** What is known from several places: each trusted key must stand in the one succession of what is verified. */
  | { readonly kind: 'all'; readonly of: readonly TrustInput[] }
  | { readonly kind: 'none' };

/** Decides which keys are trusted, independently of anything that the input says. */
export interface Trust {
  readonly given: boolean;
  /** Of the trusted keys, for people: `sha256:` and the fingerprint, or the id where only that is known. */
  readonly names: readonly string[];
  /** The keys that were given as such, the retired ones too: none where only a fingerprint was. */
  readonly keys: readonly PublicKey[];
  /** Whether the key was given out of band. */
  trusts(key: PublicKey): boolean;
  /** Whether the key is known to be retired. */
  knowsRetired(key: PublicKey): boolean;
  /** What is known of it; null where the key is not known to be retired. */
  retirementOf(key: PublicKey): KnownRetirement | null;
  /**
   * The names of the trusted keys that are none of these. A file whose newest key was retired since cannot hold the keys
   * that a listing shows as active beside it, so those are not missing.
   *
   * @param retiredSince the newest key of the file if it is known to be retired by now.
   */
  missing(keys: readonly PublicKey[], retiredSince: PublicKey | null): readonly string[];
}

/** @throws KeyError where a given key is not an acceptable Ed25519 or P-256 key, or a fingerprint is not one. */
export const trustOf = (input: TrustInput): Trust => pinned(pinsOf(input));

/** One trusted key, by as much of it as is known. */
interface Pin {
  /** For people. */
  readonly name: string;
  /** Fingerprints of the keys that its listing shows as retired. */
  readonly retiredBefore: ReadonlySet<string>;
  isOf(key: PublicKey): boolean;
}

interface Pins {
  readonly trusted: readonly Pin[];
  readonly keys: readonly PublicKey[];
  readonly retired: readonly PublicKey[];
  readonly retirements: readonly KnownRetirement[];
}

const NO_PINS: Pins = { trusted: [], keys: [], retired: [], retirements: [] };

const pinsOf = (input: TrustInput): Pins => {
  switch (input.kind) {
    case 'none':
      return NO_PINS;
    case 'fingerprint': {
      if (!/^[0-9a-f]{64}$/.test(input.sha256Hex))
        throw new KeyError('a fingerprint has 64 lowercase hex characters');
      return { ...NO_PINS, trusted: [ofFingerprint(input.sha256Hex, NONE)] };
    }
    case 'keyId':
      return {
        ...NO_PINS,
        trusted: [
          {
            name: input.keyId,
            retiredBefore: NONE,
            isOf: (key) => keyIdOf(key) === input.keyId,
          },
        ],
      };
    case 'keys': {
      const keys = input.spki.map(publicKeyFromSpki);
      const retired = (input.retired ?? []).map(publicKeyFromSpki);
      const { retirements = [] } = input;
      const before = new Set(retired.map(fingerprintOf));
      const trusted = keys.map((key) => ofFingerprint(fingerprintOf(key), before));
      return { trusted, keys, retired, retirements };
    }
    case 'all': {
      const all = input.of.map(pinsOf);
      const trusted = new Map(all.flatMap((one) => one.trusted.map((pin) => [pin.name, pin])));
      return {
        trusted: [...trusted.values()],
        keys: all.flatMap(({ keys }) => keys),
        retired: all.flatMap(({ retired }) => retired),
        retirements: all.flatMap(({ retirements }) => retirements),
      };
    }
  }
};

const NONE: ReadonlySet<string> = new Set();

const ofFingerprint = (fingerprint: string, retiredBefore: ReadonlySet<string>): Pin => ({
  name: `sha256:${fingerprint}`,
  retiredBefore,
  isOf: (key) => fingerprintOf(key) === fingerprint,
});

const pinned = ({ trusted, keys, retired: retiredKeys, retirements }: Pins): Trust => {
  const retired = new Set(retiredKeys.map(fingerprintOf));
  const knowsRetired = (key: PublicKey): boolean => retired.has(fingerprintOf(key));
  return {
    given: trusted.length + retired.size > 0,
    names: trusted.map(({ name }) => name),
    keys: [...keys, ...retiredKeys],
    trusts: (key) => trusted.some((pin) => pin.isOf(key)),
    knowsRetired,
    retirementOf: (key) => {
      if (!knowsRetired(key)) return null;
      const keyId = keyIdOf(key);
      return (
        retirements.find((known) => known.keyId === keyId) ?? { keyId, reason: null, at: null }
      );
    },
    missing: (others, retiredSince) =>
      trusted
        .filter((pin) => !retiredSince || !pin.retiredBefore.has(fingerprintOf(retiredSince)))
        .filter((pin) => !others.some((key) => pin.isOf(key)))
        .map(({ name }) => name),
  };
};
