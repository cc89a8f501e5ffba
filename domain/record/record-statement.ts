import type { CoSignature } from '../identity/co-signature.ts';
import type { OnBehalfOf } from '../identity/on-behalf-of.ts';
import { hashJson, hashText } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CounterAttestationType, EntryType, RecordEntryType } from '../vault/entry-type.ts';
import {
  statement,
  withoutUndefined,
  type PredicateBase,
  type Statement,
} from '../vault/statement.ts';
import type { GateMode, OperatingMode } from '../record-type/manifest.ts';
import type { Action } from './actions.ts';
import type { Awaiting } from './awaiting.ts';
import type { RecordStatus } from './record-status.ts';

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
  readonly performerOrgId: Uuid | null;
  readonly parentRecordId?: Uuid;
  /** When the record expires, as of this entry; ISO 8601. */
  readonly expiresAt: string | null;
  /** Who has to act next, as of this entry. */
  readonly awaiting: Awaiting;
  /** Where the record comes into being: what never changes of it. */
  readonly terms?: TermsClaim;
  /** SHA-256 of the UTF-8 of the message that a proposal or counter-proposal brings. */
  readonly messageHash?: string;
  readonly criteriaHash: string;
  readonly completionId?: Uuid;
  readonly evidenceHash?: string;
  readonly verdict?: 'accept' | 'reject';
  readonly reason?: string;
  readonly gate?: GateClaim | ClaimedGates;
  readonly cancelledBy?: 'principal' | 'performer';
  readonly reference?: ReferenceClaim;
  /** RFC 7638 thumbprints of the keys to which the added content is encrypted. */
  readonly encryption?: { readonly recipients: readonly string[] };
  readonly children?: readonly ChildClaim[];
  readonly dispute?: DisputeClaim;
  /** What the peer of a federated record did that leaves its state as it is. */
  readonly peer?: PeerClaim;
}

/** A recommendation to the settlement platform; the newest one of a record counts. */
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

/** That a verified statement of a peer was received, and what became of it. */
export interface CounterAttestationPredicate extends PredicateBase<CounterAttestationType> {
  readonly recordId: Uuid;
  /** Left out where an offer is refused: then there is no record, and the attestation stands on no chain. */
  readonly orgId?: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  /** SHA-256 of the COSE_Sign1 as it was received, lowercase hex. */
  readonly statementHash: string;
  readonly outcome: 'applied' | 'refused';
  readonly code?: string;
  /** Of an equivocation: the statement that has the same sequence. */
  readonly otherHash?: string;
}

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

export const counterAttestationStatement = (
  base: string,
  predicate: CounterAttestationPredicate,
): Statement =>
  statement(
    base,
    'counter-attestation',
    `statement/${predicate.statementHash}`,
    predicate.statementHash,
    predicate,
  );

/** The member that binds a message, if there is one. */
export const messageHashOf = (message: string | null): { readonly messageHash?: string } =>
  message === null ? {} : { messageHash: hashText(message) };

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

export interface SchemaRef {
  readonly orgId: Uuid;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifestDigest: string;
}

export interface TermsClaim {
  readonly platform: string;
  readonly platformRef: string | null;
  readonly gateMode: GateMode;
  readonly operatingMode: OperatingMode;
  readonly depth: number;
  readonly rootRecordId: Uuid;
  readonly federation?: FederationClaim;
}

/** That the record is known to another hub as well. */
export interface FederationClaim {
  readonly role: 'home' | 'mirror';
  readonly peerHubId: Uuid;
  /** On a mirror: home's record. Null at home, where the mirror is not known yet. */
  readonly recordId: Uuid | null;
}

/**
 * At STEP_REFUSED the refused statement and why, at RECORD_DETACHED why. Where a mirror follows home in what its own side
 * had asked for: the statement by which it asked.
 */
export interface PeerClaim {
  readonly statementHash?: string;
  readonly code?: string;
  readonly reason?: string;
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

/**
 * What the principal says that the gates gave, in the encrypted mode: the service could not see the plaintext and
 * vouches for nothing but who said it.
 */
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

/** A child of a record, with the head of its chain at that moment, lowercase hex. */
export interface ChildClaim {
  readonly id: Uuid;
  readonly status: RecordStatus;
  readonly headHash: string;
  readonly disputed: boolean;
}

/** The dispute that an entry is about. The id alone says that the dispute was open when the entry was written. */
export interface DisputeClaim {
  readonly id: Uuid;
  readonly phase?: string;
  readonly tier?: number;
  /** The disputing side or, in an entry about evidence, the submitting one. */
  readonly side?: 'principal' | 'performer';
  readonly outcome?: 'UPHELD' | 'OVERTURNED' | null;
  /** When the phase ends by itself. */
  readonly deadline?: string;
  /** SHA-256 of the RFC 8785 form of the content that the entry adds. */
  readonly contentHash?: string;
}
