import { CborError } from '../../domain/kernel/deterministic-cbor.ts';
import { fromHex } from '../../domain/kernel/digest.ts';
import { chainKindOf, type ChainKey } from '../../domain/vault/chain-key.ts';
import { issuerOf } from '../../domain/vault/chain.ts';
import {
  decodeProtected,
  decodeSign1,
  typOf,
  type ProtectedHeader,
} from '../../domain/vault/cose-sign1.ts';
import {
  openEntry,
  type KeyLookup,
  type OpenedEntry,
  type VerificationKey,
} from '../../domain/vault/open-entry.ts';

/** What an anchored checkpoint says. Its signature holds. */
export interface AnchorClaim {
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly headHash: Uint8Array;
  readonly logIndex: number;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly coseSign1: Uint8Array;
  /** The key that signed it is not in the database any more: what was lost held its statement. */
  readonly isKeyLost: boolean;
}

export interface OpenedAnchor {
  readonly claim: AnchorClaim | null;
  /** Why it proves nothing, as a sentence; null where it does, and where it is another hub's. */
  readonly fault: string | null;
}

/** The keys by which an anchor is genuine. */
export interface AnchorKeys {
  readonly known: KeyLookup;
  /** Keys whose statements are in the store of anchors, and not in the database. */
  readonly lost: (keyId: string) => VerificationKey | undefined;
}

/** Reads an anchor. Whoever can write the store can put anything there: so nothing is read that is not signed. */
export const openAnchor = async (
  coseSign1: Uint8Array,
  hubId: string,
  keys: AnchorKeys,
): Promise<OpenedAnchor> => {
  const header = headerOf(coseSign1);
  if (!header) return faulty('it is no signed structure');
  if (header.iss !== issuerOf(hubId)) return { claim: null, fault: null };
  if (header.typ !== typOf('checkpoint')) return faulty('it is no checkpoint');
  const known = await keys.known(header.kid);
  const key = known ?? keys.lost(header.kid);
  if (!key) return faulty('no key of the succession signed it');
  const opened = await openEntry(coseSign1, () => key);
  if (!opened) return faulty('its signature does not hold');
  const said = saidIn(opened);
  return said
    ? { claim: { ...said, coseSign1, isKeyLost: known === undefined }, fault: null }
    : faulty('it says of no chain where it ends');
};

const saidIn = ({
  header,
  predicate,
}: OpenedEntry): Omit<AnchorClaim, 'coseSign1' | 'isKeyLost'> | null => {
  const { chainKey, position, headHash, logIndex, at } = predicate;
  if (typeof chainKey !== 'string' || chainKey !== header.sub || !chainKindOf(chainKey))
    return null;
  if (!isCount(position) || !isCount(logIndex) || typeof at !== 'string') return null;
  if (typeof headHash !== 'string' || !HASH.test(headHash)) return null;
  return { chainKey, position, headHash: fromHex(headHash), logIndex, at };
};

const headerOf = (coseSign1: Uint8Array): ProtectedHeader | null => {
  try {
    return decodeProtected(decodeSign1(coseSign1).protectedBytes);
  } catch (error) {
    if (error instanceof CborError) return null;
    throw error;
  }
};

const HASH = /^[0-9a-f]{64}$/;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const faulty = (fault: string): OpenedAnchor => ({ claim: null, fault });
