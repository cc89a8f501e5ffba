import { encodeBase64 } from '../kernel/base64.ts';
import { encodeCbor } from '../kernel/deterministic-cbor.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { VaultAlgorithm } from './algorithm.ts';
import { coseKeyOf, keyIdOf, type PublicKey } from './cose-key.ts';

/** A row of the key registry: what the key statements on the platform chain say, for quick look-up. */
export interface VaultKey {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly status: 'active' | 'retired';
  /** ISO 8601 with milliseconds. */
  readonly activatedAt: string;
  readonly retiredAt: string | null;
}

/** A copy, byte for byte, of a KEY_ACTIVATED or KEY_RETIRED entry of the platform chain. */
export interface KeyStatement {
  readonly keyId: string;
  readonly statement: 'activated' | 'retired';
  readonly chainPosition: number;
  readonly coseSign1: Uint8Array;
  readonly createdAt: string;
}

/**
 * Members that KEY_ACTIVATED adds to the predicate. `coseKey` is the base64 of the deterministic COSE_Key
 * with its alg; a verifier takes algorithm and key from here and from nowhere else.
 */
export const keyActivatedMembers = (
  hubId: Uuid,
  key: PublicKey,
): { hubId: Uuid; keyId: string; coseKey: string } => ({
  hubId,
  keyId: keyIdOf(key),
  coseKey: encodeBase64(encodeCbor(coseKeyOf(key))),
});
