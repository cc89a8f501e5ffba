import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { isUuid, type Uuid } from '../kernel/ids.ts';
import { FEDERATION_ENTRY_TYPES, type FederationEntryType } from '../vault/entry-type.ts';
import { readDisputeFacts, type DisputeFacts } from './dispute-facts.ts';
import { TERMINAL } from './record-status.ts';

/**
 * What one entry of a record's chain says. The head check, disputes and the offline verifier all read entries here, so
 * a member means the same to each of them.
 *
 * Nobody has checked the form of a `JsonValue` here: the verifier reads files that anyone may have written. Compare it,
 * or narrow its type before it is used in another way. A member that the entry does not have is null.
 */
export interface EntryFacts {
  readonly entryType: JsonValue;
  readonly recordId: JsonValue;
  readonly at: JsonValue;
  readonly actor: JsonValue;
  readonly orgId: JsonValue;
  readonly schema: SchemaFacts | null;
  /** Null where the entry names none, as a signal does. */
  readonly transition: TransitionFacts | null;
  readonly principalAgentId: JsonValue;
  /** Every entry has it, be it null: one without it equals no other. */
  readonly performerAgentId: JsonValue | undefined;
  /** As above. */
  readonly performerOrgId: JsonValue | undefined;
  readonly parentRecordId: JsonValue;
  /** As above. */
  readonly expiresAt: JsonValue | undefined;
  /** As above. */
  readonly awaiting: JsonValue | undefined;
  /** Null in every entry but the first. */
  readonly terms: TermsFacts | null;
  readonly messageHash: JsonValue;
  readonly criteriaHash: JsonValue;
  readonly completionId: JsonValue;
  readonly evidenceHash: JsonValue;
  readonly cancelledBy: JsonValue;
  readonly onBehalfOf: JsonValue;
  readonly reference: JsonValue;
  /** The children that the entry lists, in its order. */
  readonly childIds: readonly Uuid[];
  readonly dispute: DisputeFacts | null;
  /** Null in every entry but a signal, which says nothing else. */
  readonly signal: SignalFacts | null;
  /** Of an entry of a federated record that leaves its state as it is: which one. Null in every other. */
  readonly beside: FederationEntryType | null;
  /** What a counter-attestation says of the order of the peer's statements. */
  readonly sequence: JsonValue;
  /** What became of the statement. */
  readonly outcome: JsonValue;
  /** What the entry says that the peer did. */
  readonly peer: JsonValue;
}

export interface TransitionFacts {
  readonly action: string;
  readonly from: string | null;
  readonly to: string;
}

/** The record type that was pinned at creation. Every entry but a signal repeats it. */
export interface SchemaFacts {
  readonly orgId: JsonValue;
  readonly publisher: JsonValue;
  readonly type: JsonValue;
  readonly version: JsonValue;
  readonly manifestDigest: JsonValue;
}

/** What never changes of a record. */
export interface TermsFacts {
  readonly platform: JsonValue;
  readonly platformRef: JsonValue;
  readonly gateMode: JsonValue;
  readonly operatingMode: JsonValue;
  readonly depth: JsonValue;
  readonly rootRecordId: JsonValue;
  /** Null where the record is of this hub alone. */
  readonly federation: JsonValue;
}

export interface SignalFacts {
  readonly signalId: JsonValue;
  readonly supersedes: JsonValue;
  readonly recommendation: JsonValue;
  readonly outcome: JsonValue;
}

export const readEntryFacts = (predicate: JsonObject): EntryFacts => ({
  entryType: predicate['entryType'] ?? null,
  recordId: predicate['recordId'] ?? null,
  at: predicate['at'] ?? null,
  actor: predicate['actor'] ?? null,
  orgId: predicate['orgId'] ?? null,
  schema: readSchema(predicate['schema']),
  transition: readTransition(predicate['transition']),
  principalAgentId: predicate['principalAgentId'] ?? null,
  performerAgentId: predicate['performerAgentId'],
  performerOrgId: predicate['performerOrgId'],
  parentRecordId: predicate['parentRecordId'] ?? null,
  expiresAt: predicate['expiresAt'],
  awaiting: predicate['awaiting'],
  terms: readTerms(predicate['terms']),
  messageHash: predicate['messageHash'] ?? null,
  criteriaHash: predicate['criteriaHash'] ?? null,
  completionId: predicate['completionId'] ?? null,
  evidenceHash: predicate['evidenceHash'] ?? null,
  cancelledBy: predicate['cancelledBy'] ?? null,
  onBehalfOf: predicate['onBehalfOf'] ?? null,
  reference: predicate['reference'] ?? null,
  childIds: readChildIds(predicate['children']),
  dispute: readDisputeFacts(predicate['dispute']),
  signal: predicate['entryType'] === 'SIGNAL_EMITTED' ? readSignal(predicate) : null,
  beside: FEDERATION_ENTRY_TYPES.find((type) => type === predicate['entryType']) ?? null,
  sequence: predicate['sequence'] ?? null,
  outcome: predicate['outcome'] ?? null,
  peer: predicate['peer'] ?? null,
});

/** Whether the entry brought the record to a final status, be it from another final one. */
export const isEnding = ({ transition }: EntryFacts): boolean =>
  transition !== null && transition.from !== transition.to && ENDED.has(transition.to);

/** Whether work on the record began with this entry: into ACTIVE from a status before it, or at once. */
export const startsWork = ({ transition }: EntryFacts): boolean =>
  transition?.to === 'ACTIVE' && BEFORE_WORK.has(transition.from);

/** A verdict or a revision changes the status, so an active record with a completion is one that waits. */
export const isCompletionPending = ({ transition, completionId }: EntryFacts): boolean =>
  transition?.to === 'ACTIVE' && completionId !== null;

const ENDED: ReadonlySet<string> = TERMINAL;
const BEFORE_WORK: ReadonlySet<string | null> = new Set([null, 'CREATED', 'PROPOSED']);

const readTransition = (value: JsonValue | undefined): TransitionFacts | null => {
  if (!isObject(value)) return null;
  const { action, from, to } = value;
  return typeof action === 'string' &&
    (from === null || typeof from === 'string') &&
    typeof to === 'string'
    ? { action, from, to }
    : null;
};

const readSchema = (value: JsonValue | undefined): SchemaFacts | null =>
  isObject(value)
    ? {
        orgId: value['orgId'] ?? null,
        publisher: value['publisher'] ?? null,
        type: value['type'] ?? null,
        version: value['version'] ?? null,
        manifestDigest: value['manifestDigest'] ?? null,
      }
    : null;

const readTerms = (value: JsonValue | undefined): TermsFacts | null =>
  isObject(value)
    ? {
        platform: value['platform'] ?? null,
        platformRef: value['platformRef'] ?? null,
        gateMode: value['gateMode'] ?? null,
        operatingMode: value['operatingMode'] ?? null,
        depth: value['depth'] ?? null,
        rootRecordId: value['rootRecordId'] ?? null,
        federation: value['federation'] ?? null,
      }
    : null;

const readSignal = (predicate: JsonObject): SignalFacts => ({
  signalId: predicate['signalId'] ?? null,
  supersedes: predicate['supersedes'] ?? null,
  recommendation: predicate['recommendation'] ?? null,
  outcome: predicate['outcome'] ?? null,
});

const readChildIds = (value: JsonValue | undefined): readonly Uuid[] =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).flatMap((child) =>
        isObject(child) && typeof child['id'] === 'string' && isUuid(child['id'])
          ? [child['id']]
          : [],
      )
    : NO_CHILDREN;

const NO_CHILDREN: readonly Uuid[] = [];
