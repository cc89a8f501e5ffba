import {
  CborError,
  decodeCbor,
  type CborKey,
  type CborValue,
} from '../kernel/deterministic-cbor.ts';
import { decodeBase64Strict, decodeBase64UrlStrict } from '../kernel/base64.ts';
import { NotaryError, type FieldError } from '../kernel/errors.ts';
import { KeyError } from '../vault/cose-key.ts';
import { assertSound, type AgentPublicKey, type Curve } from './agent-public-key.ts';

export type KeyPurpose = 'signing' | 'encryption';

interface CurveRow {
  readonly curve: Curve;
  /** RFC 7518 section 6.1, RFC 8037 section 2. */
  readonly kty: 'OKP' | 'EC';
  /**
   * The values of alg that a JWK on this curve may name, by purpose. The curve does not serve a
   * purpose without an entry.
   */
  readonly algs: { readonly [Purpose in KeyPurpose]?: readonly string[] };
  /**
   * RFC 9053 section 7. The algorithms are those of signatures, with their equivalents in RFC 9864.
   */
  readonly cose: { readonly kty: number; readonly crv: number; readonly algs: readonly number[] };
}

const ECDH = ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'];
const CURVES: readonly CurveRow[] = [
  {
    curve: 'Ed25519',
    kty: 'OKP',
    algs: { signing: ['EdDSA', 'Ed25519'] },
    cose: { kty: 1, crv: 6, algs: [-8, -19] },
  },
  { curve: 'X25519', kty: 'OKP', algs: { encryption: ECDH }, cose: { kty: 1, crv: 4, algs: [] } },
  {
    curve: 'P-256',
    kty: 'EC',
    algs: { signing: ['ES256'], encryption: ECDH },
    cose: { kty: 2, crv: 1, algs: [-7, -9] },
  },
];
const USES: Readonly<Record<KeyPurpose, string>> = { signing: 'sig', encryption: 'enc' };

/** The members that make a JWK a secret (RFC 7518 sections 6.2.2, 6.3.2 and 6.4). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * The public key of a JWK. Members that do not identify the key are dropped (RFC 7517 section 4).
 *
 * @throws UNPROCESSABLE for a private key, a key of another kind, or one that must not be trusted.
 */
export const publicKeyOfJwk = (
  jwk: { readonly [member: string]: unknown },
  purpose: KeyPurpose,
): AgentPublicKey => {
  const secret = PRIVATE_MEMBERS.find((member) => Object.hasOwn(jwk, member));
  if (secret !== undefined) throw privateKey(`/publicKeyJwk/${secret}`, `the member ${secret}`);
  const row = CURVES.find(({ curve, algs }) => curve === jwk['crv'] && algs[purpose]);
  if (!row)
    throw refused(
      '/publicKeyJwk/crv',
      'enum',
      `${ARTICLE[purpose]} ${purpose} key has one of the curves ${curvesFor(purpose).join(' and ')}`,
      curvesFor(purpose),
    );
  if (jwk['kty'] !== row.kty)
    throw refused('/publicKeyJwk/kty', 'enum', `a key on ${row.curve} has the kty ${row.kty}`, [
      row.kty,
    ]);
  if (Object.hasOwn(jwk, 'use') && jwk['use'] !== USES[purpose])
    throw refused(
      '/publicKeyJwk/use',
      'enum',
      `the key is declared for another use than ${USES[purpose]}`,
      [USES[purpose]],
    );
  const algs = row.algs[purpose] ?? [];
  if (Object.hasOwn(jwk, 'alg') && !algs.includes(jwk['alg'] as string))
    throw refused(
      '/publicKeyJwk/alg',
      'enum',
      `the key is declared for another algorithm than ${algs.join(', ')}`,
      algs,
    );
  const x = coordinate('/publicKeyJwk/x', jwk['x']);
  return sound(
    '/publicKeyJwk',
    row.kty === 'EC'
      ? {
          curve: row.curve,
          raw: Uint8Array.of(4, ...x, ...coordinate('/publicKeyJwk/y', jwk['y'])),
        }
      : { curve: row.curve, raw: x },
  );
};

/**
 * The signing key of a COSE_Key (RFC 9052 section 7), in canonical base64 and deterministic CBOR.
 *
 * @throws UNPROCESSABLE as publicKeyOfJwk does.
 */
export const publicKeyOfCoseKey = (base64: string): AgentPublicKey => {
  const members = coseMembers(base64);
  if (members.has(LABEL.d)) throw privateKey('/coseKey', 'the label -4 (d)');
  const row = CURVES.find(
    ({ cose, algs }) =>
      algs.signing && cose.kty === members.get(LABEL.kty) && cose.crv === members.get(LABEL.crv),
  );
  if (!row)
    throw refused(
      '/coseKey',
      'enum',
      'it is no key on Ed25519 (kty 1, crv 6) and none on P-256 (kty 2, crv 1)',
      curvesFor('signing'),
    );
  const alg = members.get(LABEL.alg);
  if (alg !== undefined && !row.cose.algs.includes(alg as number))
    throw refused(
      '/coseKey',
      'enum',
      `a key on ${row.curve} has the alg ${row.cose.algs.join(' or ')}, or names none`,
      row.cose.algs,
    );
  const [x, y] = [members.get(LABEL.x), members.get(LABEL.y)];
  if (!isCoordinate(x)) throw refused('/coseKey', 'length', 'its x (label -2) is not 32 bytes');
  if (row.kty === 'OKP') return sound('/coseKey', { curve: row.curve, raw: x });
  if (!isCoordinate(y))
    throw refused(
      '/coseKey',
      'length',
      'its y (label -3) is not 32 bytes; a compressed point is not taken',
    );
  return sound('/coseKey', { curve: row.curve, raw: Uint8Array.of(4, ...x, ...y) });
};

export const curvesFor = (purpose: KeyPurpose): readonly Curve[] =>
  CURVES.filter(({ algs }) => algs[purpose]).map(({ curve }) => curve);

const ARTICLE: Readonly<Record<KeyPurpose, string>> = { signing: 'a', encryption: 'an' };
const LABEL = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, d: -4 } as const;

const coseMembers = (base64: string): ReadonlyMap<CborKey, CborValue> => {
  const bytes = decodeBase64Strict(base64);
  if (!bytes)
    throw refused('/coseKey', 'contentEncoding', 'it is not canonical base64 (RFC 4648 section 4)');
  try {
    const value = decodeCbor(bytes);
    if (value instanceof Map) return value as ReadonlyMap<CborKey, CborValue>;
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
  }
  throw refused(
    '/coseKey',
    'contentMediaType',
    'it is not a map in deterministic CBOR (RFC 8949 section 4.2.1)',
  );
};

/** RFC 7518 section 6.2.1.2, RFC 8037 section 2: all 32 bytes, leading zeros included. */
const coordinate = (path: string, text: unknown): Uint8Array => {
  const bytes = typeof text === 'string' && text.length === 43 ? decodeBase64UrlStrict(text) : null;
  if (!bytes) throw refused(path, 'length', 'it is not 32 bytes in base64url without padding');
  return bytes;
};

const isCoordinate = (value: CborValue | undefined): value is Uint8Array =>
  value instanceof Uint8Array && value.length === 32;

const sound = (path: string, key: AgentPublicKey): AgentPublicKey => {
  try {
    assertSound(key);
    return key;
  } catch (cause) {
    if (!(cause instanceof KeyError)) throw cause;
    throw refused(path, 'point', `it is not acceptable: ${cause.message}`);
  }
};

const refused = (
  path: string,
  keyword: string,
  message: string,
  allowedValues?: readonly (string | number)[],
): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The public key cannot be taken; ${message}.`, {
    errors: [finding(path, keyword, message)],
    ...(allowedValues ? { allowedValues } : {}),
    suggestion:
      'Send the public key as a library exports it: a JWK of RFC 7517, or a COSE_Key of RFC 9052.',
  });

const privateKey = (path: string, what: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', `This is a private key: it has ${what}. It was not kept.`, {
    errors: [finding(path, 'not', 'is part of a private key')],
    suggestion: 'Treat the key as disclosed: make a new one, and send its public members alone.',
  });

const finding = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});
