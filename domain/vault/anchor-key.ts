import { sha256, toHex } from '../kernel/digest.ts';
import { chainKindOf, type ChainKey } from './chain-key.ts';

/** Where the anchors of a chain are, in the order of positions. */
export const anchorsOf = (chainKey: ChainKey): string => `${ANCHORS}${chainKey}/`;

/** Where all anchors are. */
export const ANCHORS = 'anchors/';

/** The key of the object that holds a checkpoint: its name binds its bytes. */
export const anchorKey = (chainKey: ChainKey, position: number, coseSign1: Uint8Array): string =>
  `${anchorsOf(chainKey)}${nameOf(position, coseSign1)}`;

/** Where the key statements after the first are kept beside the anchors. */
export const ANCHORED_STATEMENTS = `${ANCHORS}key-statements/`;

/** The key of the object that holds a key statement, which is an entry of the platform chain: its name binds its bytes. */
export const statementKey = (position: number, coseSign1: Uint8Array): string =>
  `${ANCHORED_STATEMENTS}${nameOf(position, coseSign1)}`;

/** Where the lists of the newest revocations are kept beside the anchors. */
export const REVOCATION_LISTS = `${ANCHORS}revocations/`;

/** The key of the object that holds such a list: in the order of time, and its name binds its bytes. */
export const revocationListKey = (at: string, coseSign1: Uint8Array): string =>
  `${REVOCATION_LISTS}${nameOf(Math.floor(Date.parse(at) / 1000), coseSign1)}`;

const nameOf = (position: number, coseSign1: Uint8Array): string =>
  `${String(position).padStart(12, '0')}-${toHex(sha256(coseSign1)).slice(0, 16)}.cose`;

export interface AnchorPlace {
  readonly chainKey: ChainKey;
  readonly position: number;
}

/** What a key says; null where it is none of ours. */
export const readAnchorKey = (key: string): AnchorPlace | null => {
  const [, chainKey, position] = KEY.exec(key) ?? [];
  return chainKey !== undefined && chainKindOf(chainKey)
    ? { chainKey, position: Number(position) }
    : null;
};

const KEY = /^anchors\/([^/]+)\/(\d{12})-[0-9a-f]{16}\.cose$/;
