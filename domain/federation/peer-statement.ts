import type { JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { issuerOf } from '../vault/chain.ts';
import { typOf, type StructureType } from '../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../vault/parsed-statement.ts';
import { verifySignature } from '../vault/signatures.ts';
import { predicateTypeOf, type PredicateKind } from '../vault/statement.ts';
import { toldFault } from '../verification/entry/told-statement.ts';
import type { PeerVaultKey } from './peer.ts';
import { isOfAlgorithm, verifyingKeyOf } from './peer-chain.ts';

export type KeyFinder = (kid: string) => Promise<PeerVaultKey | null>;

export interface ExpectedStatement {
  readonly hubId: Uuid;
  readonly typ: StructureType;
  readonly kind: PredicateKind;
  /** Null where any is taken: that of a chain entry is the peer's id of the record. */
  readonly sub: string | null;
  /** Of which keys: the active one, one that was retired since, or also one that was retired as compromised. */
  readonly takes: 'active' | 'retired' | 'compromised';
}

export interface OpenedStatement {
  readonly parsed: ParsedStatement;
  readonly predicate: JsonObject;
  readonly subjectName: string;
  readonly subjectDigest: string;
}

/** Verifies one statement that a peer signed. @returns what is wrong in words, where something is. */
export const openPeerStatement = async (
  bytes: Uint8Array,
  { hubId, typ, kind, sub, takes }: ExpectedStatement,
  find: KeyFinder,
): Promise<OpenedStatement | string> => {
  const parsed = parsedOf(bytes);
  if (typeof parsed === 'string') return parsed;
  const { header, statement } = parsed;
  if (!statement) return 'it is no in-toto Statement with one subject';
  const { predicate } = statement;
  if (parsed.hasUnprotected) return 'its unprotected header is not empty';
  if (header.typ !== typOf(typ)) return `it is a ${header.typ}`;
  if ((typ === 'chain-entry') !== (header.chain !== undefined))
    return 'its header and its place in a chain do not fit';
  if (header.iss !== issuerOf(hubId)) return `its issuer is ${header.iss}`;
  if (sub !== null && header.sub !== sub) return `its subject claim is ${header.sub}`;
  if (!statement.predicateType.endsWith(predicateTypeOf('', kind)))
    return `its predicate is ${statement.predicateType}`;
  const fault = toldFault(kind, statement);
  if (fault) return fault;
  const { at } = predicate;
  if (typeof at !== 'string' || header.iat !== Math.floor(Date.parse(at) / 1000))
    return 'the issue time is not the time of the statement';
  const key = await find(header.kid);
  if (!key || key.keyId !== header.kid)
    return `no key statement that leads from its root activates the key ${header.kid}`;
  if (statement.predicateType !== predicateTypeOf(key.predicateBase, kind))
    return `its predicate is ${statement.predicateType}, not of the base of its key`;
  if (!isOfAlgorithm(header.alg, key)) return 'it names another algorithm than its key';
  if (at < key.activatedAt || (key.retiredAt !== null && at > key.retiredAt))
    return `it is dated ${at}, outside of the time of the key ${key.keyId}`;
  if (key.retirement === 'compromised' && takes !== 'compromised')
    return `the key ${key.keyId} was retired as compromised`;
  if (key.retiredAt !== null && takes === 'active') return `the key ${key.keyId} was retired`;
  const result = await verifySignature(verifyingKeyOf(key), parsed.signature, parsed.signed);
  if (result !== 'valid') return `its signature is ${result}`;
  const { subjectName, subjectDigest } = statement;
  return { parsed, predicate, subjectName, subjectDigest };
};

/** What two signatures of one statement have in common: all but the time at which each was made. */
export const payloadHashOf = (predicate: JsonObject): string => {
  const { at: _, ...rest } = predicate;
  return hashJson(rest);
};

const parsedOf = (bytes: Uint8Array): ParsedStatement | string => {
  try {
    return parseStatement(bytes);
  } catch (error) {
    if (error instanceof UnreadableError) return error.message;
    throw error;
  }
};
