import { canonicalJsonBytes, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { encodeCbor, type CborValue } from '../kernel/deterministic-cbor.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CoSignature } from '../identity/co-signature.ts';
import type { OnBehalfOf } from '../identity/on-behalf-of.ts';
import type { Action, RecordStatus } from '../record/lifecycle.ts';
import type {
  EntryType,
  PlatformEntryType,
  RecordEntryType,
  SchemaEntryType,
} from './entry-type.ts';

/** in-toto Statement v1 (in-toto/attestation, spec v1). */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

export type PredicateKind =
  | 'record-state'
  | 'settlement-signal'
  | 'vault-checkpoint'
  | 'schema-event'
  | 'tenant-read'
  | 'counter-attestation'
  | 'federation-projection';

export const predicateTypeOf = (base: string, kind: PredicateKind): string =>
  `${base}/predicates/${kind}/v1`;

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly [
    { readonly name: string; readonly digest: { readonly sha256: string } },
  ];
  readonly predicateType: string;
  readonly predicate: JsonObject;
}

/** Who did it, as the chain says it. */
export interface ActorClaim {
  readonly kind: 'agent' | 'admin' | 'platform' | 'system' | 'peer';
  readonly agentId?: Uuid;
  readonly apiKeyId?: Uuid;
  readonly certId?: Uuid;
  readonly oidc?: { readonly iss: string; readonly sub: string };
  readonly peerHubId?: Uuid;
}

/** What every predicate on a chain carries. `at` is ISO 8601 UTC with milliseconds. */
export interface PredicateBase<Type extends EntryType> {
  readonly entryType: Type;
  readonly at: string;
  readonly requestId: string;
  readonly actor: ActorClaim;
}

export interface SchemaRef {
  readonly orgId: Uuid;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifestDigest: string;
}

export interface GateClaim {
  readonly state: string;
  readonly now: string;
  readonly inputsDigest: string;
  readonly results: readonly {
    readonly gateId: string;
    readonly outcome: 'pass' | 'fail' | 'error';
    readonly severity: 'block' | 'warn';
    readonly inputsDigest: string;
    readonly detail: string | null;
  }[];
}

/** What the principal says that the gates gave, in the encrypted mode: the service could not see the plaintext and vouches for nothing but who said it. */
export interface ClaimedGates {
  readonly claimedBy: 'principal';
  readonly results: readonly ClaimedGateResult[];
}

export interface ClaimedGateResult {
  readonly gateId: string;
  readonly outcome: 'pass' | 'fail' | 'error';
  readonly detail: string | null;
}

export interface ReferenceClaim {
  readonly id: Uuid;
  readonly kind: string;
  readonly uri: string;
  readonly digest: { readonly alg: string; readonly value: string } | null;
  readonly label: string | null;
}

/** A child of a record as its own chain stood: the hash of the head is lowercase hex. */
export interface ChildClaim {
  readonly id: Uuid;
  readonly status: RecordStatus;
  readonly headHash: string;
  readonly disputed: boolean;
}

/** The dispute that an entry is about, or, with the id alone, during which it was written. */
export interface DisputeClaim {
  readonly id: Uuid;
  readonly phase?: string;
  readonly tier?: number;
  /** The side that the entry speaks for: that disputes, or, with evidence, that submits it. */
  readonly side?: 'principal' | 'performer';
  readonly outcome?: 'UPHELD' | 'OVERTURNED' | null;
  /** When the phase ends by itself. */
  readonly deadline?: string;
  /** Of what the entry adds to it: SHA-256 of the RFC 8785 form. */
  readonly contentHash?: string;
}

export interface RecordStatePredicate extends PredicateBase<RecordEntryType> {
  readonly recordId: Uuid;
  readonly orgId: Uuid;
  readonly schema: SchemaRef;
  readonly transition: {
    readonly action: Action;
    readonly from: RecordStatus | null;
    readonly to: RecordStatus;
  };
  readonly onBehalfOf?: OnBehalfOf;
  /** What the caller itself signed of its request. */
  readonly coSignature?: CoSignature;
  readonly principalAgentId: Uuid;
  readonly performerAgentId: Uuid | null;
  readonly parentRecordId?: Uuid;
  readonly criteriaHash: string;
  readonly completionId?: Uuid;
  readonly evidenceHash?: string;
  readonly verdict?: 'accept' | 'reject';
  readonly reason?: string;
  readonly gate?: GateClaim | ClaimedGates;
  readonly cancelledBy?: 'principal' | 'performer';
  readonly reference?: ReferenceClaim;
  /** The RFC 7638 thumbprints of the keys that what the entry adds is encrypted to. */
  readonly encryption?: { readonly recipients: readonly string[] };
  readonly children?: readonly ChildClaim[];
  readonly dispute?: DisputeClaim;
}

/** A recommendation to whoever moves money; the newest one of a record wins. */
export interface SettlementSignalPredicate extends PredicateBase<'SIGNAL_EMITTED'> {
  readonly signalId: Uuid;
  readonly supersedes?: Uuid;
  readonly recommendation: 'SETTLE' | 'HOLD' | 'RELEASE';
  readonly outcome: RecordStatus;
  readonly performerAgentId: Uuid | null;
  readonly platformRef: string | null;
  readonly recordId: Uuid;
  readonly disputeId?: Uuid;
}

export interface PlatformPredicate extends PredicateBase<PlatformEntryType> {
  readonly orgId?: Uuid;
  readonly [member: string]: JsonValue | ActorClaim | undefined;
}

export interface SchemaEventPredicate extends PredicateBase<SchemaEntryType> {
  readonly orgId: Uuid;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifestDigest: string;
  readonly status?: 'active' | 'disabled';
}

/** `position` and `headHash` name the newest entry of `chainKey` that the checkpoint covers. */
export interface CheckpointPredicate {
  readonly chainKind: 'record' | 'schema' | 'admin' | 'org-reads';
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly logIndex?: number;
  readonly treeSize?: number;
  readonly treeRoot?: string;
  readonly at: string;
}

const statement = (
  base: string,
  kind: PredicateKind,
  name: string,
  sha256: string,
  predicate: object,
): Statement => ({
  _type: STATEMENT_TYPE,
  subject: [{ name, digest: { sha256 } }],
  predicateType: predicateTypeOf(base, kind),
  predicate: withoutUndefined(predicate),
});

/** Completions and verdicts are about the evidence; every other entry of a record is about its criteria. */
const EVIDENCE_SUBJECTS: ReadonlySet<EntryType> = new Set<EntryType>([
  'COMPLETION_SUBMITTED',
  'VERDICT_RENDERED',
]);

/** The digest that the subject of a record-state statement carries. */
export const recordSubjectDigest = (predicate: {
  readonly entryType: string;
  readonly criteriaHash?: unknown;
  readonly evidenceHash?: unknown;
}): unknown =>
  EVIDENCE_SUBJECTS.has(predicate.entryType as EntryType)
    ? predicate.evidenceHash
    : predicate.criteriaHash;

export const recordStatement = (base: string, predicate: RecordStatePredicate): Statement =>
  statement(
    base,
    'record-state',
    `record/${predicate.recordId}`,
    String(recordSubjectDigest(predicate)),
    predicate,
  );

export const signalStatement = (base: string, predicate: SettlementSignalPredicate): Statement => {
  const clean = withoutUndefined(predicate);
  return statement(
    base,
    'settlement-signal',
    `record/${predicate.recordId}`,
    hashJson(clean),
    clean,
  );
};

export const platformStatement = (base: string, predicate: PlatformPredicate): Statement => {
  const clean = withoutUndefined(predicate);
  return statement(base, 'record-state', PLATFORM_SUBJECT, hashJson(clean), clean);
};
export const PLATFORM_SUBJECT = 'platform/ops';

export const schemaStatement = (base: string, predicate: SchemaEventPredicate): Statement =>
  statement(
    base,
    'schema-event',
    `schema/${predicate.publisher}/${predicate.type}/${predicate.version}`,
    predicate.manifestDigest,
    predicate,
  );

export const checkpointStatement = (base: string, predicate: CheckpointPredicate): Statement =>
  statement(base, 'vault-checkpoint', `chain/${predicate.chainKey}`, predicate.headHash, predicate);

/** The two payload forms; both carry the same value, the content type says which one it is. */
export const CANONICALIZATIONS = {
  jcs: {
    name: 'jcs',
    standard: 'RFC 8785',
    contentType: 'application/vnd.in-toto+json',
    encode: (value: Statement) => canonicalJsonBytes(value as unknown as JsonValue),
  },
  cde: {
    name: 'cde',
    standard: 'RFC 8949 section 4.2.1',
    contentType: 'application/vnd.in-toto+cbor',
    encode: (value: Statement) => encodeCbor(value as unknown as CborValue),
  },
} as const;

export type Canonicalization = keyof typeof CANONICALIZATIONS;

/** A statement is small: whoever verifies it must be able to hold it. */
export const MAX_STATEMENT_BYTES = 64 * 1024;

const withoutUndefined = (value: object): JsonObject => {
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value) as [string, JsonValue | undefined][]) {
    if (member !== undefined)
      members.push([name, isPlain(member) ? withoutUndefined(member) : member]);
  }
  return Object.fromEntries(members);
};

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
