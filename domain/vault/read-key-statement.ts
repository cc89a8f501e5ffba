import { decodeBase64Strict } from '../kernel/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { CborError } from '../kernel/deterministic-cbor.ts';
import { hashJson, sha256 } from '../kernel/digest.ts';
import { isUuid } from '../kernel/ids.ts';
import { PLATFORM_CHAIN } from './chain-key.ts';
import { issuerOf } from './chain.ts';
import { readCoseKey, type CoseKeyClaim } from './cose-key-claim.ts';
import { typOf, type ChainClaim } from './cose-sign1.ts';
import type { KeyRetiredMembers } from './key-statement.ts';
import { parseStatement, UnreadableError, type ParsedStatement } from './parsed-statement.ts';
import { PLATFORM_SUBJECT } from './statement.ts';
import type { HubIdentity } from './vault-store.port.ts';

/** What is wrong with a key statement, under the name that a verification gives it. */
export class KeyStatementError extends Error {
  override readonly name = 'KeyStatementError';

  constructor(
    readonly failureClass: KeyFailureClass,
    message: string,
  ) {
    super(message);
  }
}

/** Those of the failure classes of `domain/verification` that a succession of keys can have. */
export type KeyFailureClass =
  | 'CHAIN_GENESIS_INVALID'
  | 'CHAIN_SIGNATURE_INVALID'
  | 'CHAIN_SIGNATURE_MISSING_KEY'
  | 'CHAIN_COSE_DECODE_FAILED'
  | 'CHAIN_COSE_HEADER_MISMATCH'
  | 'CHAIN_PAYLOAD_BINDING_MISMATCH'
  | 'CHAIN_SIGNING_KEY_DRIFT'
  | 'CHAIN_ALG_MISMATCH'
  | 'CHAIN_UNSUPPORTED_ALGORITHM'
  | 'CHAIN_KEY_POLICY_VIOLATION';

/** A KEY_ACTIVATED or KEY_RETIRED taken apart. Its signature and its place among the others are not checked yet. */
interface Read {
  readonly coseSign1: Uint8Array;
  /** SHA-256 of `coseSign1`. */
  readonly hash: Uint8Array;
  readonly signed: ParsedStatement;
  readonly chain: ChainClaim;
  readonly at: string;
  readonly keyId: string;
}

export interface ReadActivation extends Read {
  readonly statement: 'activated';
  readonly hub: HubIdentity;
  readonly coseKeyBytes: Uint8Array;
  readonly coseKey: CoseKeyClaim;
  readonly possession: Uint8Array | null;
  readonly previousStatement: string | null;
}

export interface ReadRetirement extends Read {
  readonly statement: 'retired';
  readonly members: KeyRetiredMembers;
}

export type ReadKeyStatement = ReadActivation | ReadRetirement;

/**
 * Reads one key statement from the bytes of its entry.
 *
 * @param hub who the platform chain belongs to; null for the statement that says so.
 * @throws KeyStatementError
 */
export const readKeyStatement = (
  coseSign1: Uint8Array,
  hub: HubIdentity | null,
): ReadKeyStatement => {
  const signed = parse(coseSign1);
  const predicate = signed.statement?.predicate;
  if (!signed.statement || !predicate)
    throw unbound('the payload is not an in-toto Statement with one subject');
  const { at, keyId } = predicate;
  if (!isInstant(at)) throw unbound('the sealed time is no ISO 8601 time with milliseconds');
  const entryType = predicate['entryType'];
  if (entryType !== 'KEY_ACTIVATED' && entryType !== 'KEY_RETIRED')
    throw unbound(`an entry ${JSON.stringify(entryType ?? null)} is no key statement`);
  const chain = chainOf(signed, at);
  if (
    signed.statement.subjectName !== PLATFORM_SUBJECT ||
    signed.statement.subjectDigest !== hashJson(predicate)
  )
    throw unbound('the subject is not that of an administrative act with this predicate');
  if (typeof keyId !== 'string' || !KEY_ID.test(keyId)) throw unbound('it names no key');
  const actor = predicate['actor'];
  if (typeof predicate['requestId'] !== 'string' || !isObject(actor) || !isText(actor['kind']))
    throw unbound('it names no request, or no actor');
  const read = { coseSign1, hash: sha256(coseSign1), signed, chain, at, keyId };
  const statement =
    entryType === 'KEY_ACTIVATED'
      ? ({ ...read, statement: 'activated', ...activationOf(signed, predicate) } as const)
      : ({ ...read, statement: 'retired', members: retirementOf(keyId, predicate) } as const);
  assertOfHub(statement, hub);
  return statement;
};

const KEY_ID = /^[0-9a-f]{32}$/;
const HASH = /^[0-9a-f]{64}$/;
const COMMON = ['entryType', 'at', 'requestId', 'actor', 'keyId'];

const parse = (coseSign1: Uint8Array): ParsedStatement => {
  try {
    return parseStatement(coseSign1);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new KeyStatementError('CHAIN_COSE_DECODE_FAILED', error.message);
  }
};

const chainOf = ({ header, hasUnprotected }: ParsedStatement, at: string): ChainClaim => {
  const { chain } = header;
  const mismatch = (detail: string): KeyStatementError =>
    new KeyStatementError('CHAIN_COSE_HEADER_MISMATCH', detail);
  if (hasUnprotected) throw mismatch('the unprotected header is not empty');
  if (header.typ !== typOf('chain-entry') || !chain)
    throw mismatch(`the structure is a "${header.typ}", not a chain entry`);
  if (chain.chainKey !== PLATFORM_CHAIN || header.sub !== PLATFORM_CHAIN)
    throw mismatch(`the header belongs to the chain ${chain.chainKey}`);
  if (header.iat !== Math.floor(Date.parse(at) / 1000))
    throw mismatch('the issue time is not the time of the statement');
  return chain;
};

const activationOf = (
  { statement }: ParsedStatement,
  predicate: JsonObject,
): Pick<
  ReadActivation,
  'hub' | 'coseKey' | 'coseKeyBytes' | 'possession' | 'previousStatement'
> => {
  assertMembers(predicate, ['hubId', 'coseKey'], ['possession', 'previousStatement']);
  const { hubId, possession, previousStatement } = predicate;
  const predicateType = statement?.predicateType ?? '';
  if (!isText(hubId) || !isUuid(hubId) || !predicateType.endsWith(RECORD_STATE))
    throw unbound('it does not say which hub the key belongs to');
  if (
    previousStatement !== undefined &&
    !(isText(previousStatement) && HASH.test(previousStatement))
  )
    throw unbound('previousStatement is no hash');
  return {
    hub: { hubId, predicateBase: predicateType.slice(0, -RECORD_STATE.length) },
    ...keyOf(predicate),
    possession: possession === undefined ? null : bytesOf(possession),
    previousStatement: previousStatement ?? null,
  };
};

const keyOf = (predicate: JsonObject): Pick<ReadActivation, 'coseKey' | 'coseKeyBytes'> => {
  const { coseKey } = predicate;
  const coseKeyBytes = isText(coseKey) ? decodeBase64Strict(coseKey) : null;
  if (!coseKeyBytes)
    throw new KeyStatementError(
      'CHAIN_COSE_DECODE_FAILED',
      'the statement holds no COSE_Key in canonical base64',
    );
  try {
    return { coseKeyBytes, coseKey: readCoseKey(coseKeyBytes) };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new KeyStatementError('CHAIN_COSE_DECODE_FAILED', error.message);
  }
};

const retirementOf = (keyId: string, predicate: JsonObject): KeyRetiredMembers => {
  assertMembers(predicate, ['reason', 'treeSize', 'treeRoot', 'uncovered'], []);
  const { reason, treeSize, treeRoot, uncovered } = predicate;
  if (reason !== 'scheduled' && reason !== 'compromised')
    throw unbound('a retirement is scheduled or compromised');
  if (!isCount(treeSize) || !isCount(uncovered) || !isText(treeRoot) || !HASH.test(treeRoot))
    throw unbound('a retirement seals the size and the root of the log of checkpoints');
  return { keyId, reason, treeSize, treeRoot, uncovered };
};

const RECORD_STATE = '/predicates/record-state/v1';

const assertOfHub = ({ signed, ...statement }: ReadKeyStatement, hub: HubIdentity | null): void => {
  const own = hub ?? (statement.statement === 'activated' ? statement.hub : null);
  if (!own) return;
  if (signed.header.iss !== issuerOf(own.hubId))
    throw new KeyStatementError(
      'CHAIN_COSE_HEADER_MISMATCH',
      `the issuer is ${signed.header.iss}, not the hub of the platform chain`,
    );
  if (
    signed.statement?.predicateType !== own.predicateBase + RECORD_STATE ||
    (statement.statement === 'activated' && statement.hub.hubId !== own.hubId)
  )
    throw unbound('it is not a statement of the hub that position 1 of the platform chain names');
};

const assertMembers = (
  predicate: JsonObject,
  required: readonly string[],
  optional: readonly string[],
): void => {
  for (const name of required)
    if (!Object.hasOwn(predicate, name)) throw unbound(`the member ${name} is missing`);
  for (const name of Object.keys(predicate))
    if (!COMMON.includes(name) && !required.includes(name) && !optional.includes(name))
      throw unbound(`the member ${JSON.stringify(name)} is unknown`);
};

const unbound = (detail: string): KeyStatementError =>
  new KeyStatementError('CHAIN_PAYLOAD_BINDING_MISMATCH', detail);

/** Empty where it is no canonical base64: such a signature holds nowhere. */
const bytesOf = (value: JsonValue): Uint8Array =>
  (isText(value) ? decodeBase64Strict(value) : null) ?? new Uint8Array(0);

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';
const isCount = (value: JsonValue | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isInstant = (value: JsonValue | undefined): value is string => {
  const milliseconds = isText(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === value;
};
