import {
  CborError,
  decodeCbor,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../kernel/deterministic-cbor.ts';
import { bytesEqual } from '../kernel/digest.ts';
import { algorithmOfCose } from './algorithm.ts';
import { coseKeyOf, type PublicKey } from './cose-key.ts';

/** The COSE_Key (RFC 9052 section 7) that a KEY_ACTIVATED seals. */
export interface CoseKeyClaim {
  /** Label 3. */
  readonly alg: number;
  /** Null where the algorithm is none that this verifier knows. Not yet checked for being an acceptable point. */
  readonly key: PublicKey | null;
}

const LABEL = { kty: 1, alg: 3, crv: -1, x: -2, y: -3 } as const;

/**
 * Accepts exactly the members that the key's identity has, and its alg.
 *
 * @throws CborError
 */
export const readCoseKey = (bytes: Uint8Array): CoseKeyClaim => {
  const map = decodeCbor(bytes);
  if (!(map instanceof Map)) throw new CborError('a COSE_Key is a map');
  const members = map as ReadonlyMap<CborKey, CborValue>;
  const alg = members.get(LABEL.alg);
  if (typeof alg !== 'number') throw new CborError('the COSE_Key names no algorithm');
  const row = algorithmOfCose(alg);
  if (!row) return { alg, key: null };
  const x = members.get(LABEL.x);
  const y = members.get(LABEL.y);
  if (!(x instanceof Uint8Array) || x.length !== 32)
    throw new CborError('the x of the COSE_Key is not 32 bytes');
  if (row.name === 'ES256' && (!(y instanceof Uint8Array) || y.length !== 32))
    throw new CborError('the y of the COSE_Key is not 32 bytes');
  const key: PublicKey = {
    algorithm: row.name,
    raw: row.name === 'ES256' ? Uint8Array.of(4, ...x, ...(y as Uint8Array)) : x,
  };
  // Built again from what was read: whatever else stood in it, or another curve, shows.
  if (!bytesEqual(encodeCbor(new Map([...coseKeyOf(key), [LABEL.alg, alg]])), bytes))
    throw new CborError('the COSE_Key holds other members than its algorithm calls for');
  return { alg, key };
};
