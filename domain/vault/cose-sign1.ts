import {
  CborError,
  decodeCbor,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../kernel/deterministic-cbor.ts';

/** COSE_Sign1 (RFC 9052 section 4.2): tag 18, empty external AAD, attached payload, empty unprotected header. */
export interface Sign1 {
  /** The protected bucket exactly as received: it is signed verbatim and never encoded again. */
  readonly protectedBytes: Uint8Array;
  readonly unprotected: ReadonlyMap<CborKey, CborValue>;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** What a signed structure is; sealed as `typ` (RFC 9596), so that none can pass for another. */
export type StructureType =
  'chain-entry' | 'checkpoint' | 'org-read' | 'projection' | 'schema-bundle' | 'revocation-list';

export const typOf = (type: StructureType): string => `application/vnd.notary.${type}+cose`;

/** The place of an entry in its chain; private-use label -70001, on chain entries and nowhere else. */
export interface ChainClaim {
  readonly chainKey: string;
  readonly position: number;
  readonly previousHash: Uint8Array;
}

export interface ProtectedHeader {
  /** Label 1. */
  readonly alg: number;
  /** Label 3. */
  readonly contentType: string;
  /** Label 4, UTF-8 of the keyId. */
  readonly kid: string;
  /** Label 15 (RFC 9597), claims 1, 2 and 6. `iat` in whole seconds. */
  readonly iss: string;
  readonly sub: string;
  readonly iat: number;
  /** Label 16. */
  readonly typ: string;
  readonly chain?: ChainClaim;
}

const LABEL = { alg: 1, contentType: 3, kid: 4, cwtClaims: 15, typ: 16, chain: -70001 } as const;
const CWT = { iss: 1, sub: 2, iat: 6 } as const;
const CHAIN = { chainKey: 1, position: 2, previousHash: 3 } as const;

const LABELS: readonly number[] = Object.values(LABEL);
const LABELS_WITHOUT_CHAIN = LABELS.filter((label) => label !== LABEL.chain);
const CWT_LABELS: readonly number[] = Object.values(CWT);
const CHAIN_LABELS: readonly number[] = Object.values(CHAIN);

const TAG_18 = 0xd2;
const NOTHING = new Uint8Array(0);
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const encodeProtected = (header: ProtectedHeader): Uint8Array => {
  const map = new Map<CborKey, CborValue>([
    [LABEL.alg, header.alg],
    [LABEL.contentType, header.contentType],
    [LABEL.kid, utf8.encode(header.kid)],
    [
      LABEL.cwtClaims,
      new Map<CborKey, CborValue>([
        [CWT.iss, header.iss],
        [CWT.sub, header.sub],
        [CWT.iat, header.iat],
      ]),
    ],
    [LABEL.typ, header.typ],
  ]);
  if (header.chain) {
    const { chainKey, position, previousHash } = header.chain;
    map.set(
      LABEL.chain,
      new Map<CborKey, CborValue>([
        [CHAIN.chainKey, chainKey],
        [CHAIN.position, position],
        [CHAIN.previousHash, previousHash],
      ]),
    );
  }
  return encodeCbor(map);
};

/**
 * Reads a protected header of this service. Anything but exactly the labels of its kind is refused, `crit` included.
 *
 * @throws CborError
 */
export const decodeProtected = (bytes: Uint8Array): ProtectedHeader => {
  const map = asMap(decodeCbor(bytes), 'the protected header');
  const claims = asMap(map.get(LABEL.cwtClaims), 'the CWT claims');
  expectLabels(map, map.has(LABEL.chain) ? LABELS : LABELS_WITHOUT_CHAIN);
  expectLabels(claims, CWT_LABELS);
  const header = {
    alg: asInteger(map.get(LABEL.alg), 'alg'),
    contentType: asText(map.get(LABEL.contentType), 'content type'),
    kid: decodeText(asBytes(map.get(LABEL.kid), 'kid')),
    iss: asText(claims.get(CWT.iss), 'iss'),
    sub: asText(claims.get(CWT.sub), 'sub'),
    iat: asInteger(claims.get(CWT.iat), 'iat'),
    typ: asText(map.get(LABEL.typ), 'typ'),
  };
  if (!map.has(LABEL.chain)) return header;
  const chain = asMap(map.get(LABEL.chain), 'the chain claim');
  expectLabels(chain, CHAIN_LABELS);
  const previousHash = asBytes(chain.get(CHAIN.previousHash), 'previousHash');
  if (previousHash.length !== 32) throw new CborError('previousHash is not 32 bytes');
  return {
    ...header,
    chain: {
      chainKey: asText(chain.get(CHAIN.chainKey), 'chainKey'),
      position: asInteger(chain.get(CHAIN.position), 'position'),
      previousHash,
    },
  };
};

/**
 * The bytes that are signed: Sig_structure of RFC 9052 section 4.4. An empty protected map counts as a
 * zero-length string there, whichever way the message wrote it.
 */
export const sigStructure = (
  protectedBytes: Uint8Array,
  payload: Uint8Array,
  externalAad: Uint8Array = NOTHING,
): Uint8Array => {
  const bucket =
    protectedBytes.length === 1 && protectedBytes[0] === 0xa0 ? NOTHING : protectedBytes;
  const parts = [bucket, externalAad, payload];
  const bytes = new Uint8Array(
    parts.reduce((sum, { length }) => sum + length + headLength(length), SIGNATURE1.length),
  );
  bytes.set(SIGNATURE1);
  let at = SIGNATURE1.length;
  for (const part of parts) {
    at = writeHead(bytes, at, part.length);
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** The head of an array of four, and the text "Signature1". */
const SIGNATURE1 = Uint8Array.of(0x84, 0x6a, ...utf8.encode('Signature1'));

/** Of a byte string (RFC 8949 section 3), with its shortest head. */
const headLength = (length: number): number =>
  length < 24 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;

const writeHead = (bytes: Uint8Array, at: number, length: number): number => {
  const width = headLength(length) - 1;
  bytes[at] = 0x40 | (width === 0 ? length : width === 1 ? 24 : width === 2 ? 25 : 26);
  for (let place = 0; place < width; place++)
    bytes[at + 1 + place] = (length >>> (8 * (width - 1 - place))) & 0xff;
  return at + 1 + width;
};

export const encodeSign1 = (
  protectedBytes: Uint8Array,
  payload: Uint8Array,
  signature: Uint8Array,
): Uint8Array => {
  const array = encodeCbor([protectedBytes, new Map(), payload, signature]);
  const tagged = new Uint8Array(array.length + 1);
  tagged[0] = TAG_18;
  tagged.set(array, 1);
  return tagged;
};

/**
 * Takes a tagged COSE_Sign1 apart, strictly: deterministic outer bytes, attached payload.
 * The caller decides whether the unprotected header may hold anything.
 *
 * @throws CborError
 */
export const decodeSign1 = (bytes: Uint8Array): Sign1 => {
  if (bytes[0] !== TAG_18) throw new CborError('not tagged as COSE_Sign1 (tag 18)');
  // The tag is taken off by hand: a registered tag decoder is global to the library and could be anyone's.
  const array = decodeCbor(bytes.subarray(1));
  if (!Array.isArray(array) || array.length !== 4)
    throw new CborError('a COSE_Sign1 is an array of four');
  return {
    protectedBytes: asBytes(array[0], 'the protected bucket'),
    unprotected: asMap(array[1], 'the unprotected header'),
    payload: asBytes(array[2], 'the payload'),
    signature: asBytes(array[3], 'the signature'),
  };
};

const expectLabels = (map: ReadonlyMap<CborKey, CborValue>, labels: readonly number[]): void => {
  for (const label of map.keys())
    if (!labels.includes(label as number)) throw new CborError(`unexpected label ${label}`);
  for (const label of labels) if (!map.has(label)) throw new CborError(`label ${label} is missing`);
};

const asMap = (value: CborValue | undefined, what: string): ReadonlyMap<CborKey, CborValue> => {
  if (value instanceof Map) return value as ReadonlyMap<CborKey, CborValue>;
  throw new CborError(`${what} is not a map`);
};
const asBytes = (value: CborValue | undefined, what: string): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new CborError(`${what} is not a byte string`);
};
const asText = (value: CborValue | undefined, what: string): string => {
  if (typeof value === 'string') return value;
  throw new CborError(`${what} is not text`);
};
const asInteger = (value: CborValue | undefined, what: string): number => {
  if (typeof value === 'number') return value;
  throw new CborError(`${what} is not an integer`);
};
const decodeText = (bytes: Uint8Array): string => {
  try {
    return fromUtf8.decode(bytes);
  } catch (cause) {
    throw new CborError('not UTF-8', { cause });
  }
};
