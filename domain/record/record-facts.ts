import type { JsonValue } from '../kernel/canonical-json.ts';
import { openDisputeId } from './dispute-facts.ts';
import { isAfterEnd, isCompletionPending, isEnding, type EntryFacts } from './entry-facts.ts';
import { criteriaHashOnTable, type RecordState } from './record-state.ts';

/** What the row of a record and its chain both say, under the names that a refusal uses for a difference. */
export interface RecordFacts {
  readonly status: JsonValue;
  readonly criteriaHash: JsonValue;
  readonly orgId: JsonValue;
  readonly principalAgentId: JsonValue;
  readonly performerAgentId: JsonValue | undefined;
  readonly parentRecordId: JsonValue;
  readonly latestCompletionId: JsonValue;
  readonly evidenceHash: JsonValue;
  readonly completionPending: JsonValue;
  readonly openDisputeId: JsonValue;
  readonly disputed: JsonValue;
  readonly activated: JsonValue;
  readonly terminalAt: JsonValue;
  readonly cancelledBy: JsonValue;
  readonly latestSignalId: JsonValue;
  readonly 'schema.orgId': JsonValue;
  readonly 'schema.publisher': JsonValue;
  readonly 'schema.type': JsonValue;
  readonly 'schema.version': JsonValue;
  readonly 'schema.manifestDigest': JsonValue;
}

/** The facts that some entries of a chain state; a fact that they do not state is missing. */
export type KnownFacts = Partial<RecordFacts>;

export const factsOfRecord = (record: RecordState): RecordFacts => ({
  status: record.status,
  criteriaHash: criteriaHashOnTable(record),
  orgId: record.orgId,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  parentRecordId: record.parentRecordId,
  latestCompletionId: record.latestCompletionId,
  evidenceHash: record.latestEvidenceHash,
  completionPending: record.completionPending,
  openDisputeId: record.openDisputeId,
  disputed: record.disputed,
  activated: record.activatedAt !== null,
  terminalAt: record.terminalAt,
  cancelledBy: record.cancelledBy,
  latestSignalId: record.latestSignalId,
  'schema.orgId': record.schema.orgId,
  'schema.publisher': record.schema.publisher,
  'schema.type': record.schema.type,
  'schema.version': record.schema.version,
  'schema.manifestDigest': record.schema.manifestDigest,
});

/** What the record is after an entry, as far as that entry alone says. */
export const factsAfter = (entry: EntryFacts): KnownFacts => {
  if (entry.signal) return { latestSignalId: entry.signal.signalId };
  const { schema, transition } = entry;
  const disputeId = openDisputeId(entry);
  const activated = wasActivated(entry);
  return {
    status: transition?.to ?? null,
    criteriaHash: entry.criteriaHash,
    orgId: entry.orgId,
    principalAgentId: entry.principalAgentId,
    performerAgentId: entry.performerAgentId,
    parentRecordId: entry.parentRecordId,
    latestCompletionId: entry.completionId,
    evidenceHash: entry.evidenceHash,
    completionPending: isCompletionPending(entry),
    openDisputeId: disputeId,
    disputed: disputeId !== null,
    'schema.orgId': schema?.orgId ?? null,
    'schema.publisher': schema?.publisher ?? null,
    'schema.type': schema?.type ?? null,
    'schema.version': schema?.version ?? null,
    'schema.manifestDigest': schema?.manifestDigest ?? null,
    ...(activated === undefined ? {} : { activated }),
    // Only the entry that ended the record says when that was, and who cancelled it.
    ...(isEnding(entry) ? { terminalAt: entry.at } : {}),
    ...(transition?.from !== transition?.to ? { cancelledBy: entry.cancelledBy } : {}),
  };
};

/** Whether the entries before this one state facts that it does not: a signal, or what came after the end, does so. */
export const needsEntryBefore = (entry: EntryFacts): boolean =>
  entry.signal !== null || (isAfterEnd(entry) && entry.transition?.from === entry.transition?.to);

/** The names of the facts in which the row differs from what its chain states. */
export const differingFacts = (row: RecordFacts, known: KnownFacts): readonly string[] =>
  (Object.keys(row) as (keyof RecordFacts)[]).filter(
    (name) => Object.hasOwn(known, name) && known[name] !== row[name],
  );

/** Whether work ever began. Of a record that expired or was cancelled, only the entry that ended it says so. */
const wasActivated = ({ transition }: EntryFacts): boolean | undefined => {
  if (!transition) return undefined;
  const { from, to } = transition;
  const isUnknown = to === 'EXPIRED' || to === 'CANCELLED';
  if (isUnknown && (from === to || from === null)) return undefined;
  return !NEVER_ACTIVE.has(isUnknown ? from : to);
};

const NEVER_ACTIVE: ReadonlySet<string | null> = new Set([
  'CREATED',
  'PROPOSED',
  'RECORDED',
  'REJECTED',
]);
