import {
  CborError,
  decodeUnorderedCbor,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../kernel/deterministic-cbor.ts';
import { sha256, toHex } from '../kernel/digest.ts';
import { algorithmOfCose, type VaultAlgorithm } from '../vault/algorithm.ts';
import { decodeSign1, encodeSign1, sigStructure, type Sign1 } from '../vault/cose-sign1.ts';
import { leafHash } from './rfc9162-tree.ts';

/** A signed statement of a customer (RFC 9943 section 6), taken apart. Whether its signature holds is asked elsewhere. */
export interface ScittStatement {
  readonly alg: number;
  readonly algorithm: VaultAlgorithm;
  /** Null where the header names its key in another way. */
  readonly kid: Uint8Array | null;
  readonly iss: string;
  readonly sub: string;
  /** The CWT claim exp in seconds since 1970: the statement is invalid from then on (RFC 8392 section 3.1.4). */
  readonly exp: number | null;
  /** The CWT claim nbf in seconds since 1970: the statement is invalid before (RFC 8392 section 3.1.5). */
  readonly nbf: number | null;
  /** What is signed. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  /** The input of its leaf: the same bytes with an empty unprotected header. */
  readonly leafInput: Uint8Array;
}

/** The longest statement that is taken, in bytes. */
export const MAX_SCITT_STATEMENT_BYTES = 256 * 1024;

export type StatementFault =
  'malformed_request' | 'payload_missing' | 'bad_signature_algorithm' | 'rejected';

/** Input that is no statement which can be registered. The reasons are those of SCRAPI. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  constructor(
    readonly reason: StatementFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads a COSE_Sign1 that somebody else signed: tag 18, deterministic outer bytes, attached payload, CWT claims iss and
 * sub, and an algorithm that the service verifies. The protected header may have its labels in any order; what
 * the signer calls critical must be known here, and nothing is.
 *
 * @throws StatementError
 */
export const readStatement = (bytes: Uint8Array): ScittStatement => {
  const sign1 = sign1Of(bytes);
  const header = headerOf(sign1);
  if (header.has(CRIT))
    throw new StatementError('rejected', 'The protected header has critical labels (crit).');
  if (sign1.unprotected.has(CRIT))
    throw new StatementError(
      'rejected',
      'crit (label 2) must not be in the unprotected header (RFC 9052 section 3.1).',
    );
  const { protectedBytes, payload, signature } = sign1;
  const alg = header.get(ALG);
  const row = typeof alg === 'number' ? algorithmOfCose(alg) : undefined;
  if (!row || typeof alg !== 'number')
    throw new StatementError(
      'bad_signature_algorithm',
      'The algorithm (label 1) is not among -8 and -19 (Ed25519), -7 and -9 (ES256).',
    );
  const kid = header.get(KID);
  const claims = header.get(CWT_CLAIMS);
  if (!(claims instanceof Map))
    throw new StatementError('rejected', 'The protected header has no CWT claims (label 15).');
  const claim = (key: number, name: string): string => {
    const value = (claims as ReadonlyMap<CborKey, CborValue>).get(key);
    if (typeof value === 'string' && value !== '') return value;
    throw new StatementError('rejected', `The CWT claims have no ${name} (claim ${key}).`);
  };
  const seconds = (key: number, name: string): number | null => {
    const value = (claims as ReadonlyMap<CborKey, CborValue>).get(key);
    if (value === undefined || typeof value === 'number') return value ?? null;
    throw new StatementError('rejected', `The CWT claim ${name} (claim ${key}) must be a number.`);
  };
  return {
    alg,
    algorithm: row.name,
    kid: kid instanceof Uint8Array ? kid : null,
    iss: claim(1, 'iss'),
    sub: claim(2, 'sub'),
    exp: seconds(4, 'exp'),
    nbf: seconds(5, 'nbf'),
    signed: sigStructure(protectedBytes, payload),
    signature,
    leafInput: encodeSign1(protectedBytes, payload, signature),
  };
};

/**
 * What makes two statements the same: the key and what it signed. ECDSA and hedged signers give one statement many
 * signatures, so those do not count.
 */
export const identityOf = (
  keyThumbprint: Uint8Array,
  { signed }: Pick<ScittStatement, 'signed'>,
): Uint8Array => sha256(Uint8Array.of(...keyThumbprint, ...sha256(signed)));

/** What an entry of a log is called: the hash of its leaf, lowercase hex. */
export const entryIdOf = (leafInput: Uint8Array): string => toHex(leafHash(leafInput));

/** The statement with its receipts in the unprotected header (RFC 9943 section 7). @throws CborError */
export const withReceipts = (
  leafInput: Uint8Array,
  receipts: readonly Uint8Array[],
): Uint8Array => {
  const { protectedBytes, payload, signature } = decodeSign1(leafInput);
  const unprotected = new Map<CborKey, CborValue>(receipts.length ? [[RECEIPTS, receipts]] : []);
  const array = encodeCbor([protectedBytes, unprotected, payload, signature]);
  const tagged = new Uint8Array(array.length + 1);
  tagged[0] = TAG_18;
  tagged.set(array, 1);
  return tagged;
};

const TAG_18 = 0xd2;
const [ALG, CRIT, KID, CWT_CLAIMS, RECEIPTS] = [1, 2, 4, 15, 394];

const sign1Of = (bytes: Uint8Array): Sign1 => {
  if (bytes.length > MAX_SCITT_STATEMENT_BYTES)
    throw new StatementError(
      'malformed_request',
      `The statement has ${bytes.length} bytes; at most ${MAX_SCITT_STATEMENT_BYTES} are taken.`,
    );
  try {
    return decodeSign1(bytes);
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    if (cause.message.startsWith('the payload'))
      throw new StatementError('payload_missing', 'The payload must be attached.', { cause });
    throw new StatementError(
      'malformed_request',
      `The body is not a COSE_Sign1 in deterministic CBOR: ${cause.message}.`,
      { cause },
    );
  }
};

const headerOf = ({ protectedBytes }: Sign1): ReadonlyMap<CborKey, CborValue> => {
  try {
    const header = decodeUnorderedCbor(protectedBytes);
    if (header instanceof Map) return header as ReadonlyMap<CborKey, CborValue>;
    throw new CborError('not a map');
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    throw new StatementError(
      'malformed_request',
      `The protected header cannot be read: ${cause.message}.`,
      { cause },
    );
  }
};
