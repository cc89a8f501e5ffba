import { createHash, webcrypto } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';

/** The token may be a good one; this runtime does not know. */
export class UnsupportedToken extends Error {
  override readonly name = 'UnsupportedToken';
}

/** Of its own, not the one that the library keeps for the whole process. */
export const pki = new pkijs.CryptoEngine({ name: 'runtime', crypto: webcrypto });

const HASH_NAMES: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'SHA-256'],
  ['2.16.840.1.101.3.4.2.2', 'SHA-384'],
  ['2.16.840.1.101.3.4.2.3', 'SHA-512'],
]);

export const HASHES = {
  /** RFC 5035 section 3: where ESSCertIDv2 names none. */
  defaultOfEss: 'SHA-256',
  digest: (name: string, bytes: Uint8Array): Uint8Array =>
    createHash(name.replace('-', '').toLowerCase()).update(bytes).digest(),
};

/** @throws UnsupportedToken where it is none of the SHA-2 family. */
export const hashOf = ({ algorithmId, algorithmParams }: pkijs.AlgorithmIdentifier): string => {
  const name = HASH_NAMES.get(algorithmId);
  if (name === undefined || !isNone(algorithmParams))
    throw new UnsupportedToken(`it uses the hash ${algorithmId}`);
  return name;
};

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const WITH_HASH: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.11', 'SHA-256'],
  ['1.2.840.113549.1.1.12', 'SHA-384'],
  ['1.2.840.113549.1.1.13', 'SHA-512'],
  ['1.2.840.10045.4.3.2', 'SHA-256'],
  ['1.2.840.10045.4.3.3', 'SHA-384'],
  ['1.2.840.10045.4.3.4', 'SHA-512'],
]);

/**
 * The hash under a signature; RSASSA-PSS says it in its parameters.
 *
 * @throws UnsupportedToken
 */
export const signatureHash = (
  { algorithmId, algorithmParams }: pkijs.AlgorithmIdentifier,
  hash: string,
): string => {
  const isKnown =
    algorithmId === RSA_PSS ||
    ((algorithmId === RSA || WITH_HASH.get(algorithmId) === hash) && isNone(algorithmParams));
  if (!isKnown) throw new UnsupportedToken(`it uses the signature ${algorithmId} with ${hash}`);
  return hash;
};

const isNone = (parameters: unknown): boolean =>
  parameters === undefined || parameters === null || parameters instanceof asn1js.Null;
