import {
  CborError,
  decodeCbor,
  decodeUnorderedCbor,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../kernel/deterministic-cbor.ts';
import { ALGORITHMS } from '../vault/algorithm.ts';
import { issuerOf, type Seal } from '../vault/chain.ts';
import { sigStructure } from '../vault/cose-sign1.ts';
import { verifySignature, type EcdsaS, type VerifyingKey } from '../vault/signatures.ts';
import { isConsistent, leafHash, rootFrom } from './rfc9162-tree.ts';

/**
 * COSE Receipts (RFC 9942): a COSE_Sign1, tag 18, whose payload, the root, is not in it. The proof stands in the
 * unprotected header, and leads from the leaf to the root that is signed.
 */
export type Proof = InclusionProof | ConsistencyProof;

/** RFC 9162 section 2.1.3; hashes of 32 bytes, the sibling of the leaf first. */
export interface InclusionProof {
  readonly kind: 'inclusion';
  readonly treeSize: number;
  readonly leafIndex: number;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162 section 2.1.4. */
export interface ConsistencyProof {
  readonly kind: 'consistency';
  readonly from: number;
  readonly to: number;
  readonly path: readonly Uint8Array[];
}

export interface Receipt {
  readonly protectedBytes: Uint8Array;
  readonly alg: number;
  /** Empty where the log names no key. */
  readonly kid: Uint8Array;
  /** Verifiable data structure; 1 is RFC9162_SHA256. */
  readonly vds: number;
  /** CWT claims; null in receipts of other services that have none. */
  readonly iss: string | null;
  readonly sub: string | null;
  /** Null where the data structure is another. */
  readonly proof: Proof | null;
  readonly signature: Uint8Array;
}

const LABEL = { alg: 1, kid: 4, cwtClaims: 15, vds: 395, vdp: 396 } as const;
const CWT = { iss: 1, sub: 2 } as const;
const PROOF = { inclusion: -1, consistency: -2 } as const;
const RFC9162_SHA256 = 1;
const TAG_18 = 0xd2;

/** Signs the root that a proof leads to, with the key of the hub. @param subject the log: `scitt:<orgId>`. */
export const signReceipt = async (
  seal: Pick<Seal, 'hubId' | 'signer'>,
  subject: string,
  proof: Proof,
  root: Uint8Array,
): Promise<Uint8Array> => {
  const { signer } = seal;
  const protectedBytes = encodeCbor(
    new Map<CborKey, CborValue>([
      [LABEL.alg, ALGORITHMS[signer.algorithm].cose],
      [LABEL.kid, new TextEncoder().encode(signer.keyId)],
      [
        LABEL.cwtClaims,
        new Map<CborKey, CborValue>([
          [CWT.iss, issuerOf(seal.hubId)],
          [CWT.sub, subject],
        ]),
      ],
      [LABEL.vds, RFC9162_SHA256],
    ]),
  );
  const signature = await signer.sign(sigStructure(protectedBytes, root));
  const proofs = new Map<CborKey, CborValue>([[PROOF[proof.kind], [encodeProof(proof)]]]);
  const array = encodeCbor([
    protectedBytes,
    new Map<CborKey, CborValue>([[LABEL.vdp, proofs]]),
    null,
    signature,
  ]);
  return Uint8Array.of(TAG_18, ...array);
};

/** @throws CborError where it is no receipt. */
export const readReceipt = (bytes: Uint8Array): Receipt => {
  if (bytes[0] !== TAG_18) throw new CborError('not tagged as COSE_Sign1 (tag 18)');
  const array = decodeCbor(bytes.subarray(1));
  if (!Array.isArray(array) || array.length !== 4)
    throw new CborError('a COSE_Sign1 is an array of four');
  const [protectedBytes, unprotected, payload, signature] = array as readonly CborValue[];
  if (!(protectedBytes instanceof Uint8Array) || !(signature instanceof Uint8Array))
    throw new CborError('a receipt is without its protected header or its signature');
  if (payload !== null) throw new CborError('the payload of a receipt is detached');
  const header = decodeUnorderedCbor(protectedBytes);
  if (!isMap(header)) throw new CborError('the protected header is not a map');
  if (header.has(CRIT)) throw new CborError('a critical label that is not known');
  const claims = header.get(LABEL.cwtClaims);
  const kid = header.get(LABEL.kid);
  const vds = integerOf(header.get(LABEL.vds));
  return {
    protectedBytes,
    alg: integerOf(header.get(LABEL.alg)),
    kid: kid instanceof Uint8Array ? kid : new Uint8Array(0),
    vds,
    iss: isMap(claims) ? textOf(claims.get(CWT.iss)) : null,
    sub: isMap(claims) ? textOf(claims.get(CWT.sub)) : null,
    proof: vds === RFC9162_SHA256 ? proofIn(unprotected) : null,
    signature,
  };
};

export type ReceiptResult = 'valid' | 'invalid' | 'unsupported';

/**
 * Whether the receipt shows that the leaf stands in the log of this key. Of hostile input it says no, and never throws.
 *
 * @param input of the leaf: the tagged COSE_Sign1 with an empty unprotected header.
 * @param s `any` for logs of other services.
 */
export const verifyInclusion = async (
  receipt: Uint8Array,
  input: Uint8Array,
  key: VerifyingKey,
  s: EcdsaS = 'low',
): Promise<ReceiptResult> => {
  const opened = open(receipt, key);
  if (typeof opened === 'string') return opened;
  const { proof, protectedBytes, signature } = opened;
  if (proof?.kind !== 'inclusion') return 'invalid';
  const root = rootFrom(leafHash(input), proof.leafIndex, proof.treeSize, proof.path);
  if (!root) return 'invalid';
  return verifySignature(key, signature, sigStructure(protectedBytes, root), s);
};

/** Whether the receipt shows that the log with the newer root begins with the older one. */
export const verifyConsistency = async (
  receipt: Uint8Array,
  older: Uint8Array,
  newer: Uint8Array,
  key: VerifyingKey,
  s: EcdsaS = 'low',
): Promise<ReceiptResult> => {
  const opened = open(receipt, key);
  if (typeof opened === 'string') return opened;
  const { proof, protectedBytes, signature } = opened;
  if (proof?.kind !== 'consistency') return 'invalid';
  const { from, to, path } = proof;
  const signed = await verifySignature(key, signature, sigStructure(protectedBytes, newer), s);
  if (signed !== 'valid') return signed;
  return isConsistent({ size: from, root: older }, { size: to, root: newer }, path)
    ? 'valid'
    : 'invalid';
};

const CRIT = 2;

const open = (bytes: Uint8Array, { key }: VerifyingKey): Receipt | 'invalid' | 'unsupported' => {
  try {
    const receipt = readReceipt(bytes);
    if (!receipt.proof) return 'unsupported';
    const { cose, coseFullySpecified } = ALGORITHMS[key.algorithm];
    return receipt.alg === cose || receipt.alg === coseFullySpecified ? receipt : 'invalid';
  } catch (error) {
    if (error instanceof CborError) return 'invalid';
    throw error;
  }
};

const encodeProof = (proof: Proof): Uint8Array =>
  encodeCbor(
    proof.kind === 'inclusion'
      ? [proof.treeSize, proof.leafIndex, proof.path]
      : [proof.from, proof.to, proof.path],
  );

const proofIn = (unprotected: CborValue | undefined): Proof => {
  const proofs = isMap(unprotected) ? unprotected.get(LABEL.vdp) : undefined;
  if (!isMap(unprotected) || unprotected.size !== 1 || !isMap(proofs) || proofs.size !== 1)
    throw new CborError('the unprotected header of a receipt holds its proof and nothing else');
  for (const kind of ['inclusion', 'consistency'] as const) {
    const list = proofs.get(PROOF[kind]);
    if (!Array.isArray(list) || list.length !== 1 || !(list[0] instanceof Uint8Array)) continue;
    const [first, second, path] = arrayOf(decodeCbor(list[0]));
    const hashes = arrayOf(path).map((hash) => {
      if (hash instanceof Uint8Array && hash.length === 32) return hash;
      throw new CborError('a hash of the path is not 32 bytes');
    });
    return kind === 'inclusion'
      ? { kind, treeSize: integerOf(first), leafIndex: integerOf(second), path: hashes }
      : { kind, from: integerOf(first), to: integerOf(second), path: hashes };
  }
  throw new CborError('a receipt has exactly one proof');
};

const isMap = (value: CborValue | undefined): value is ReadonlyMap<CborKey, CborValue> =>
  value instanceof Map;
const arrayOf = (value: CborValue | undefined): readonly CborValue[] => {
  if (Array.isArray(value)) return value as readonly CborValue[];
  throw new CborError('a proof is an array');
};
const integerOf = (value: CborValue | undefined): number => {
  if (typeof value === 'number') return value;
  throw new CborError('an integer is missing');
};
const textOf = (value: CborValue | undefined): string | null =>
  typeof value === 'string' ? value : null;
