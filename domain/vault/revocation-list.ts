import { hashJson } from '../kernel/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { PLATFORM_CHAIN } from './chain-key.ts';
import { issuerOf, signStatement, type Seal } from './chain.ts';
import { typOf } from './cose-sign1.ts';
import { openEntry, type KeyLookup } from './open-entry.ts';
import { REVOCABLE_KINDS, type Revocation } from './revocation.ts';
import { STATEMENT_TYPE, type Statement } from './statement.ts';

/** Acts in one list, so that it fits into an anchor (65,536 bytes) with the longest ids. */
export const MAX_REVOCATIONS = 250;

/** The newest act on each thing that was revoked or made usable again, as a hub saw it. It has ids, and no names or secrets. */
export interface RevocationList {
  /** ISO 8601 with milliseconds, as `from`. */
  readonly at: string;
  /** Acts before this time may be missing; null if the list holds all. */
  readonly from: string | null;
  /** Newest first. */
  readonly revocations: readonly Revocation[];
}

/** Signs a list. It is on no chain, and its type is not that of an entry or a checkpoint. */
export const sealRevocationList = (
  seal: Seal,
  predicateBase: string,
  { at, from, revocations }: RevocationList,
): Promise<Uint8Array> => {
  const predicate: JsonObject = { at, from, revocations: revocations.map((one) => ({ ...one })) };
  const statement: Statement = {
    _type: STATEMENT_TYPE,
    subject: [{ name: 'revocations', digest: { sha256: hashJson(predicate) } }],
    predicateType: `${predicateBase}/revocation-list/v1`,
    predicate,
  };
  return signStatement(seal, 'revocation-list', PLATFORM_CHAIN, statement, at);
};

/** Reads a list; null unless a key of this hub signed these bytes as one. */
export const openRevocationList = async (
  coseSign1: Uint8Array,
  hubId: string,
  keys: KeyLookup,
): Promise<RevocationList | null> => {
  const opened = await openEntry(coseSign1, keys);
  if (opened?.header.typ !== typOf('revocation-list') || opened.header.iss !== issuerOf(hubId))
    return null;
  const { at, from, revocations } = opened.predicate;
  const isList =
    typeof at === 'string' &&
    (from === null || typeof from === 'string') &&
    Array.isArray(revocations) &&
    revocations.length <= MAX_REVOCATIONS &&
    revocations.every(isRevocation);
  return isList ? { at, from, revocations: revocations as unknown as Revocation[] } : null;
};

const isRevocation = (value: JsonValue): boolean =>
  isObject(value) &&
  (REVOCABLE_KINDS as readonly JsonValue[]).includes(value['kind'] ?? null) &&
  typeof value['id'] === 'string' &&
  typeof value['entryType'] === 'string' &&
  typeof value['isRevoked'] === 'boolean' &&
  typeof value['at'] === 'string';
