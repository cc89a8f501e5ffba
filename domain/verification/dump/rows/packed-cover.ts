import { fromHex, toHex } from '../../../kernel/digest.ts';
import { isUuid } from '../../../kernel/ids.ts';

/** What a checkpoint in the log says of its chain. */
export interface Cover {
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly logIndex: number;
  /** The key that its header names, as its place in the succession; null where it is none of it. */
  readonly key: number | null;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** A cover of a record's chain or of the platform chain in so many bytes: a dump may hold millions. */
export const COVER_BYTES = 80;
const HEAD_HASH = 0;
const CHAIN_KEY = 32;
const POSITION = 48;
const LOG_INDEX = 56;
const AT = 64;
const KEY = 72;
const NO_KEY = 0xffff;

/** Covers of which most are packed, one after the other; those that do not fit that form are as they are. */
export interface Covers {
  readonly packed: Uint8Array;
  readonly named: readonly Cover[];
}

/** Those of one chain stand together. */
export const coversIn = ({ packed, named }: Covers): readonly Cover[] => [
  ...Array.from({ length: packed.length / COVER_BYTES }, (_, index) =>
    unpackCover(packed, index * COVER_BYTES),
  ),
  ...named,
];

/** Whether it can be packed: hostile bytes can name any chain and any hash. */
export const isPackable = ({ chainKey, headHash }: Cover): boolean =>
  isUuid(chainKey) && /^[0-9a-f]{64}$/.test(headHash);

export const packCover = (cover: Cover, bytes: Uint8Array, at: number): void => {
  bytes.set(fromHex(cover.headHash), at + HEAD_HASH);
  bytes.set(fromHex(cover.chainKey.replaceAll('-', '')), at + CHAIN_KEY);
  const view = viewOf(bytes);
  view.setFloat64(at + POSITION, cover.position);
  view.setFloat64(at + LOG_INDEX, cover.logIndex);
  view.setFloat64(at + AT, Date.parse(cover.at));
  view.setUint16(at + KEY, cover.key ?? NO_KEY);
};

export const unpackCover = (bytes: Uint8Array, at: number): Cover => {
  const view = viewOf(bytes);
  const key = view.getUint16(at + KEY);
  return {
    chainKey: packedChainKey(bytes, at),
    position: view.getFloat64(at + POSITION),
    headHash: toHex(bytes.subarray(at + HEAD_HASH, at + CHAIN_KEY)),
    logIndex: view.getFloat64(at + LOG_INDEX),
    key: key === NO_KEY ? null : key,
    at: new Date(view.getFloat64(at + AT)).toISOString(),
  };
};

export const positionOf = (view: DataView, at: number): number => view.getFloat64(at + POSITION);
export const logIndexOf = (view: DataView, at: number): number => view.getFloat64(at + LOG_INDEX);

/** In milliseconds since 1970. */
export const timeOf = (view: DataView, at: number): number => view.getFloat64(at + AT);

export const packedChainKey = (bytes: Uint8Array, at: number): string => {
  const hex = toHex(bytes.subarray(at + CHAIN_KEY, at + POSITION));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Those of one chain in the order of the log, the chains in the order of their keys. */
export const compareCovers = (a: DataView, atA: number, b: DataView, atB: number): number => {
  for (let place = CHAIN_KEY; place < POSITION; place += 4) {
    const difference = a.getUint32(atA + place) - b.getUint32(atB + place);
    if (difference !== 0) return difference;
  }
  return a.getFloat64(atA + LOG_INDEX) - b.getFloat64(atB + LOG_INDEX);
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
