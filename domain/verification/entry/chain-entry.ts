import { isTimestamp } from '../../kernel/timestamp.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { hashJson, toHex } from '../../kernel/digest.ts';
import type { ChainKind } from '../../vault/chain-key.ts';
import { issuerOf } from '../../vault/chain.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import {
  COUNTER_ATTESTATION_TYPES,
  PLATFORM_ENTRY_TYPES,
  RECORD_ENTRY_TYPES,
  SCHEMA_ENTRY_TYPES,
} from '../../vault/entry-type.ts';
import { PLATFORM_SUBJECT, predicateTypeOf, type PredicateKind } from '../../vault/statement.ts';
import { recordSubjectDigest } from '../../record/record-statement.ts';
import { credentialFault } from './actor-credentials.ts';
import type { Area, Findings } from '../report/report.ts';
import type { ParsedStatement } from '../../vault/parsed-statement.ts';

/** One entry as a file shows it, bytes decoded. What a kind of file has no column for is left out. */
export interface ChainRow {
  readonly position: number;
  readonly entryType: string;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly coseSign1: Uint8Array;
  /** Lowercase hex, as is `previousHash`. */
  readonly hash?: string;
  readonly previousHash?: string;
  readonly signingKeyId?: string;
  readonly algorithm?: string;
  readonly recordId?: string | null;
  readonly oidcIss?: string | null;
  readonly oidcSub?: string | null;
  readonly statement?: JsonValue;
  readonly evidence?: JsonValue;
  /** What a party said, beside the entry that seals its hash. */
  readonly content?: JsonObject;
  /** The raw body of the request that the actor co-signed. */
  readonly request?: Uint8Array;
}

/** Who the hub is by position 1 of its platform chain: the issuer and the base that every statement must have. */
export interface HubClaim {
  readonly hubId: string;
  readonly predicateBase: string;
}

export interface EntryScope {
  readonly chainKey: string;
  /** Null where the name is none of a chain. */
  readonly chainKind: ChainKind | null;
  readonly area: Area;
  /** Null while it is not known; then nothing is compared with it. */
  readonly hub: HubClaim | null;
}

/** Checks one entry against its row, its place and the rules of its kind; gives the predicate where there is one. */
export const checkEntry = (
  row: ChainRow,
  signed: ParsedStatement,
  scope: EntryScope,
  findings: Findings,
): JsonObject | null => {
  const place = { chainKey: scope.chainKey, position: row.position };
  const predicate = signed.statement?.predicate ?? null;
  checkHeader(row, signed, scope, place, findings);
  findings.looked('payloadBinding');
  const mismatch = (detail: string): void =>
    findings.fail('payloadBinding', scope.area, 'CHAIN_PAYLOAD_BINDING_MISMATCH', place, detail);
  if (!signed.shownAgrees) mismatch('the statement shown is not the one that was signed');
  if (!signed.statement || !predicate) {
    mismatch('the payload is not an in-toto Statement with one subject');
    return null;
  }
  checkSubject(signed.statement, scope, mismatch);
  if (predicate['entryType'] !== row.entryType)
    mismatch(`the entry is shown as ${row.entryType}, sealed is ${quoted(predicate['entryType'])}`);
  if (predicate['at'] !== row.createdAt)
    mismatch(`the entry is dated ${row.createdAt}, sealed is ${quoted(predicate['at'])}`);
  const recordId = recordOf(scope, predicate);
  if (row.recordId !== undefined && row.recordId !== recordId)
    mismatch(`the entry is shown for the record ${row.recordId}, sealed is ${quoted(recordId)}`);
  if (typeof predicate['requestId'] !== 'string') mismatch('the predicate names no request');
  checkActor(row, predicate, scope, place, findings);
  return predicate;
};

/**
 * The record that the chain of an entry is about. The platform chain is about none: a recordId in one of its predicates says
 * what the act concerned, such as a push configuration for one record.
 */
const recordOf = ({ chainKind }: EntryScope, predicate: JsonObject): JsonValue =>
  chainKind === 'admin' ? null : (predicate['recordId'] ?? null);

const checkHeader = (
  row: ChainRow,
  signed: ParsedStatement,
  scope: EntryScope,
  place: { chainKey: string; position: number },
  findings: Findings,
): void => {
  const { header } = signed;
  const { chain } = header;
  findings.looked('headerBinding');
  const mismatch = (detail: string): void =>
    findings.fail('headerBinding', scope.area, 'CHAIN_COSE_HEADER_MISMATCH', place, detail);
  if (signed.hasUnprotected) mismatch('the unprotected header is not empty');
  if (header.typ !== typOf('chain-entry'))
    mismatch(`the structure is a "${header.typ}", not a chain entry`);
  if (!chain) mismatch('the header claims no place in a chain');
  else {
    if (chain.chainKey !== scope.chainKey)
      mismatch(`the header belongs to the chain ${chain.chainKey}`);
    if (chain.position !== row.position)
      mismatch(`the header belongs to position ${chain.position}`);
    if (row.previousHash !== undefined && toHex(chain.previousHash) !== row.previousHash)
      mismatch('the header names another previous hash');
  }
  if (header.sub !== scope.chainKey) mismatch(`the subject claim is ${header.sub}`);
  if (scope.hub && header.iss !== issuerOf(scope.hub.hubId))
    mismatch(`the issuer is ${header.iss}, not the hub of the platform chain`);
  if (header.iat !== wholeSeconds(signed.statement?.predicate['at']))
    mismatch('the issue time is not the time of the statement');
  if (row.signingKeyId !== undefined && row.signingKeyId !== header.kid)
    findings.fail(
      'headerBinding',
      scope.area,
      'CHAIN_SIGNING_KEY_DRIFT',
      place,
      `the entry is shown as signed by the key ${row.signingKeyId}, its header names ${header.kid}`,
    );
};

const ENTRY_TYPES: Readonly<Record<ChainKind, ReadonlySet<string>>> = {
  record: new Set(RECORD_ENTRY_TYPES),
  schema: new Set(SCHEMA_ENTRY_TYPES),
  admin: new Set(PLATFORM_ENTRY_TYPES),
};

/** Whether an entry of this type has a place on a chain of this kind. */
export const isOnChain = (chain: ChainKind, entryType: JsonValue): boolean =>
  typeof entryType === 'string' && ENTRY_TYPES[chain].has(entryType);

/** Which kind of predicate an entry type has on its chain. */
export const predicateKindOf = (
  chain: ChainKind,
  entryType: JsonValue | undefined,
): PredicateKind =>
  chain === 'schema'
    ? 'schema-event'
    : entryType === 'SIGNAL_EMITTED'
      ? 'settlement-signal'
      : (COUNTER_ATTESTATION_TYPES as readonly unknown[]).includes(entryType)
        ? 'counter-attestation'
        : 'record-state';

/** Whether the subject is the one that the predicate calls for, on a chain of this kind. */
export const checkSubject = (
  statement: NonNullable<ParsedStatement['statement']>,
  scope: EntryScope,
  mismatch: (detail: string) => void,
): void => {
  const { predicate } = statement;
  const chain = scope.chainKind;
  if (!chain) return mismatch(`no chain is called ${scope.chainKey}`);
  if (!ENTRY_TYPES[chain].has(asText(predicate['entryType'])))
    mismatch(`an entry ${quoted(predicate['entryType'])} has no place on a ${chain} chain`);
  const kind = predicateKindOf(chain, predicate['entryType']);
  if (scope.hub && statement.predicateType !== predicateTypeOf(scope.hub.predicateBase, kind))
    mismatch(`the predicate type is ${statement.predicateType}, not that of a ${kind} of this hub`);
  if (chain === 'record' && predicate['recordId'] !== scope.chainKey)
    mismatch(`the statement is about the record ${quoted(predicate['recordId'])}`);
  if (chain === 'schema' && `schema:${asText(predicate['orgId'])}` !== scope.chainKey)
    mismatch(`the statement is about the org ${quoted(predicate['orgId'])}`);
  const subject = subjectOf(chain, kind, predicate);
  if (statement.subjectName !== subject.name)
    mismatch(`the subject is ${statement.subjectName}, not ${subject.name}`);
  if (statement.subjectDigest !== subject.digest)
    mismatch('the digest of the subject is not the one that the predicate calls for');
};

const subjectOf = (
  chain: ChainKind,
  kind: PredicateKind,
  predicate: JsonObject,
): { name: string; digest: unknown } => {
  if (chain === 'admin') return { name: PLATFORM_SUBJECT, digest: hashJson(predicate) };
  if (chain === 'schema')
    return {
      name: `schema/${asText(predicate['publisher'])}/${asText(predicate['type'])}/${asText(predicate['version'])}`,
      digest: predicate['manifestDigest'],
    };
  if (kind === 'counter-attestation')
    return {
      name: `statement/${asText(predicate['statementHash'])}`,
      digest: predicate['statementHash'],
    };
  const digest =
    kind === 'settlement-signal'
      ? hashJson(predicate)
      : recordSubjectDigest({ ...predicate, entryType: asText(predicate['entryType']) });
  return { name: `record/${asText(predicate['recordId'])}`, digest };
};

const ACTOR_KINDS: ReadonlySet<unknown> = new Set(['agent', 'admin', 'platform', 'system', 'peer']);
const ACTOR_IDS = ['agentId', 'apiKeyId', 'certId', 'peerHubId'] as const;

const checkActor = (
  row: ChainRow,
  predicate: JsonObject,
  scope: EntryScope,
  place: { chainKey: string; position: number },
  findings: Findings,
): void => {
  findings.looked('actor');
  const actor = predicate['actor'];
  const oidc = isObject(actor) ? actor['oidc'] : undefined;
  const sound =
    isObject(actor) &&
    ACTOR_KINDS.has(actor['kind']) &&
    ACTOR_IDS.every((member) => actor[member] === undefined || typeof actor[member] === 'string') &&
    (oidc === undefined ||
      (isObject(oidc) && typeof oidc['iss'] === 'string' && typeof oidc['sub'] === 'string'));
  const fault = sound
    ? credentialFault(actor)
    : 'the sealed actor is none of the kinds that act here';
  if (fault) findings.fail('actor', scope.area, 'CHAIN_PAYLOAD_BINDING_MISMATCH', place, fault);
  const sealed = isObject(oidc) ? oidc : {};
  if (
    (row.oidcIss !== undefined && row.oidcIss !== (sealed['iss'] ?? null)) ||
    (row.oidcSub !== undefined && row.oidcSub !== (sealed['sub'] ?? null))
  )
    findings.fail(
      'actor',
      scope.area,
      'CHAIN_OIDC_ACTOR_MISMATCH',
      place,
      'the identity shown is not the one that was sealed',
    );
};

/** Whole seconds of an ISO 8601 time with milliseconds; null where it is none. */
export const wholeSeconds = (at: JsonValue | undefined): number | null =>
  isTimestamp(at) ? Math.floor(Date.parse(at) / 1000) : null;

/** Never `String(value)`: a hostile object may have a member `toString`. */
const asText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** A value for a message: hostile text is quoted and cut. */
export const quoted = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
