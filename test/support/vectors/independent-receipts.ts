import { createHash, createPublicKey, verify } from 'node:crypto';
import { decode, encode, type Tag } from 'cbor2';

/**
 * A verifier of COSE Receipts (RFC 9942) that shares no line with the product: cbor2, node:crypto, and RFC 9162 sections
 * 2.1.3.2 and 2.1.4.2 written down anew.
 */
export interface ReadReceipt {
  readonly kid: string;
  readonly iss: string;
  readonly sub: string;
  readonly size: number;
  readonly leafIndex: number;
}

/** The root that an inclusion receipt shows for a leaf; throws where anything is wrong. */
export const checkInclusion = (
  receipt: Uint8Array,
  leafInput: Uint8Array,
  spki: Uint8Array,
): ReadReceipt & { readonly root: string } => {
  const { protectedBytes, header, proof, signature } = take(receipt, -1);
  const [size, leafIndex, path] = proof as [number, number, Uint8Array[]];
  const root = fold(sha(Buffer.from([0]), leafInput), leafIndex, size, path);
  checkSignature(protectedBytes, root, signature, spki);
  return { ...read(header), size, leafIndex, root: root.toString('hex') };
};

export const checkConsistency = (
  receipt: Uint8Array,
  older: Uint8Array,
  newer: Uint8Array,
  spki: Uint8Array,
): void => {
  const { protectedBytes, proof, signature } = take(receipt, -2);
  checkSignature(protectedBytes, newer, signature, spki);
  const [from, to, path] = proof as [number, number, Uint8Array[]];
  // Section 2.1.4.2, by the recursive definition of section 2.1.4.1.
  const rest = [...path];
  const [foundOlder, foundNewer] = subproof(from, to, rest, Buffer.from(older), true);
  if (rest.length > 0) throw new Error('the path is too long');
  if (!foundOlder.equals(older) || !foundNewer.equals(newer)) throw new Error('another root');
};

const subproof = (
  m: number,
  n: number,
  rest: Uint8Array[],
  older: Buffer,
  isWhole: boolean,
): readonly [Buffer, Buffer] => {
  if (m === n) {
    const hash = isWhole ? older : Buffer.from(rest.shift()!);
    return [hash, hash];
  }
  const k = split(n);
  if (m <= k) {
    const [left, leftNew] = subproof(m, k, rest, older, isWhole);
    const right = Buffer.from(rest.shift()!);
    return [left, node(leftNew, right)];
  }
  const [right, rightNew] = subproof(m - k, n - k, rest, older, false);
  const left = Buffer.from(rest.shift()!);
  return [node(left, right), node(left, rightNew)];
};

const split = (n: number): number => {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
};

/** Section 2.1.3.1 read backwards: the sibling of the leaf comes first. */
const fold = (leaf: Buffer, index: number, size: number, path: readonly Uint8Array[]): Buffer => {
  if (size === 1) {
    if (path.length > 0) throw new Error('the path is too long');
    return leaf;
  }
  const last = Buffer.from(path.at(-1) ?? []);
  if (last.length !== 32) throw new Error('the path is too short');
  const k = split(size);
  const below = path.slice(0, -1);
  return index < k
    ? node(fold(leaf, index, k, below), last)
    : node(last, fold(leaf, index - k, size - k, below));
};

const take = (receipt: Uint8Array, kind: -1 | -2) => {
  const tagged = decode<Tag>(receipt, { tags: new Map() });
  if (tagged.tag !== 18) throw new Error('no tag 18');
  const [protectedBytes, unprotected, payload, signature] = tagged.contents as [
    Uint8Array,
    Map<number, Map<number, Uint8Array[]>>,
    null,
    Uint8Array,
  ];
  if (payload !== null) throw new Error('the payload is attached');
  const header = decode<Map<number, unknown>>(protectedBytes, { preferMap: true });
  if (header.get(395) !== 1) throw new Error('another data structure');
  const proofs = asMap(asMap(unprotected).get(396));
  const list = proofs.get(kind) as Uint8Array[];
  if (list.length !== 1) throw new Error('not one proof');
  return { protectedBytes, header, proof: decode<unknown[]>(list[0]!), signature };
};

const asMap = (value: unknown): Map<number, unknown> =>
  value instanceof Map
    ? (value as Map<number, unknown>)
    : new Map(Object.entries(value as object).map(([key, item]) => [Number(key), item]));

const read = (header: Map<number, unknown>): Pick<ReadReceipt, 'kid' | 'iss' | 'sub'> => {
  const claims = asMap(header.get(15));
  return {
    kid: Buffer.from(header.get(4) as Uint8Array).toString(),
    iss: claims.get(1) as string,
    sub: claims.get(2) as string,
  };
};

const checkSignature = (
  protectedBytes: Uint8Array,
  root: Uint8Array,
  signature: Uint8Array,
  spki: Uint8Array,
): void => {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const signed = encode(['Signature1', protectedBytes, new Uint8Array(0), new Uint8Array(root)]);
  const isEd = key.asymmetricKeyType === 'ed25519';
  const isValid = verify(
    isEd ? null : 'sha256',
    signed,
    isEd ? key : { key, dsaEncoding: 'ieee-p1363' },
    signature,
  );
  if (!isValid) throw new Error('the signature does not hold');
};

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha(Buffer.from([1]), left, right);
