import { fingerprintOf } from '../../vault/cose-key.ts';
import type { ProtectedHeader } from '../../vault/cose-sign1.ts';
import type { SuccessionKey } from '../../vault/key-succession.ts';
import type { Area, Findings } from '../report/report.ts';
import type { VerifyingKey } from '../../vault/signatures.ts';

/** A key of the succession. */
export interface RingKey extends SuccessionKey {
  /** A trusted key stands in the succession, before this one or after it, or is this one. */
  readonly reached: boolean;
  /**
   * When the key was retired, if the succession of the file is older than that and a trusted listing says so; ISO 8601 with
   * milliseconds.
   */
  readonly retiredSinceAt: string | null;
}

export type KeyRing = ReadonlyMap<string, RingKey>;

/** SHA-256 of the SPKI of a key, lowercase hex; null where no key statement activates it. */
export const fingerprintIn = (ring: KeyRing, keyId: string): string | null => {
  const key = ring.get(keyId)?.verifying;
  return key ? fingerprintOf(key.key) : null;
};
/** How far roots that retirements seal cover a chain: by retired key, the last position. */
export type ChainCover = ReadonlyMap<string, { readonly position: number }>;

/** Where a signature stands, for what is reported about its key. */
export interface KeyUse {
  readonly place: { readonly chainKey: string; readonly position: number | null };
  readonly area: Area;
  /** ISO 8601; null where the signed structure does not say. */
  readonly at: string | null;
  /** Checkpoints have a class of their own for a missing key. */
  readonly missing: 'CHAIN_SIGNATURE_MISSING_KEY' | 'CHECKPOINT_SIGNATURE_MISSING_KEY';
  /**
   * Whether the root in its KEY_RETIRED covers what a retired key signed here. Left out where nothing could show that.
   */
  readonly isCovered?: (keyId: string) => boolean;
}

/**
 * The key to check a signature with, or null where that would prove nothing; what is wrong with the key is reported.
 *
 * A signature made after the retirement of its key breaks two rules: it is outside of the key's window
 * (CHAIN_KEY_EXPIRED), and the root that the KEY_RETIRED seals cannot cover it (CHAIN_KEY_POLICY_VIOLATION). One
 * dated before it may be genuine, or made later with a leaked key and dated back. Only an inclusion proof into that
 * root tells them apart. Where none could be there, as of a statement that was kept alone, `keyWindows` is not settled
 * and the answer is "cannot tell".
 */
export const keyForUse = (
  ring: KeyRing,
  header: ProtectedHeader,
  use: KeyUse,
  findings: Findings,
): VerifyingKey | null => {
  const { place, area } = use;
  const key = ring.get(header.kid);
  findings.looked('keySuccession');
  if (!key) {
    findings.fail(
      'keySuccession',
      area,
      use.missing,
      place,
      `no key statement activates the key ${header.kid}`,
    );
    return null;
  }
  if (!key.reached)
    findings.cannotTell(
      'keySuccession',
      `cannot tell: nothing in this file leads from the key you trust to key ${key.keyId}; if the file is older than your pin, fetch it again`,
    );
  checkWindow(key, use, findings);
  if (!key.verifying) {
    findings.fail(
      'signatures',
      area,
      'CHAIN_UNSUPPORTED_ALGORITHM',
      place,
      `the key ${key.keyId} uses the COSE algorithm ${key.alg}, which this verifier does not know`,
    );
    return null;
  }
  if (header.alg !== key.alg) {
    findings.fail(
      'signatures',
      area,
      'CHAIN_ALG_MISMATCH',
      place,
      `the header names the COSE algorithm ${header.alg}, the key ${key.keyId} is one of ${key.alg}`,
    );
    return null;
  }
  return key.verifying;
};

const checkWindow = (
  key: RingKey,
  { at, place, area, isCovered }: KeyUse,
  findings: Findings,
): void => {
  if (at === null) return;
  findings.looked('keyWindows');
  if (at < key.activatedAt)
    findings.fail(
      'keyWindows',
      area,
      'CHAIN_KEY_EXPIRED',
      place,
      `signed at ${at}, before the key ${key.keyId} was activated at ${key.activatedAt}`,
    );
  if (key.retiredSinceAt !== null && at > key.retiredSinceAt)
    findings.fail(
      'keyWindows',
      area,
      'CHAIN_KEY_EXPIRED',
      place,
      `signed at ${at}, after the key ${key.keyId} was retired at ${key.retiredSinceAt}, as the listing that you trust says`,
    );
  if (key.retiredAt === null) return;
  if (at <= key.retiredAt && isCovered) {
    if (!isCovered(key.keyId))
      findings.fail(
        'keyWindows',
        area,
        area === 'checkpoints' ? 'CHECKPOINT_ROOT_MISMATCH' : 'CHAIN_KEY_POLICY_VIOLATION',
        place,
        `the key ${key.keyId} was retired at ${key.retiredAt}, and nothing shows that this was signed before: no root that its retirement seals covers it`,
      );
    return;
  }
  if (at <= key.retiredAt) {
    findings.cannotTell(
      'keyWindows',
      `cannot tell: nothing here shows that what the retired key ${key.keyId} signed was there when it was retired; a dump of the log can`,
    );
    return;
  }
  findings.fail(
    'keyWindows',
    area,
    'CHAIN_KEY_EXPIRED',
    place,
    `signed at ${at}, after the key ${key.keyId} was retired at ${key.retiredAt}`,
  );
  findings.fail(
    'keyWindows',
    area,
    'CHAIN_KEY_POLICY_VIOLATION',
    place,
    `signed after the root that the retirement of the key ${key.keyId} seals, so that root cannot cover it`,
  );
};
