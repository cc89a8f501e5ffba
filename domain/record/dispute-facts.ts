import { isObject, type JsonValue } from '../kernel/canonical-json.ts';

/** What an entry says of a dispute. The form of a `JsonValue` is unchecked; null where the entry has no such member. */
export interface DisputeFacts {
  readonly id: JsonValue;
  readonly phase: JsonValue;
  readonly tier: JsonValue;
  readonly side: JsonValue;
  readonly outcome: JsonValue;
  readonly deadline: JsonValue;
  readonly contentHash: JsonValue;
}

export const readDisputeFacts = (value: JsonValue | undefined): DisputeFacts | null =>
  isObject(value)
    ? {
        id: value['id'] ?? null,
        phase: value['phase'] ?? null,
        tier: value['tier'] ?? null,
        side: value['side'] ?? null,
        outcome: value['outcome'] ?? null,
        deadline: value['deadline'] ?? null,
        contentHash: value['contentHash'] ?? null,
      }
    : null;

/**
 * The dispute that is open after an entry, null if none is. Every entry names an open dispute; the entry that ends it
 * names it too, with the phase that says so.
 */
export const openDisputeId = ({ dispute }: { readonly dispute: DisputeFacts | null }): JsonValue =>
  dispute && dispute.phase !== 'RESOLVED' && dispute.phase !== 'WITHDRAWN' ? dispute.id : null;

export const isDisputeOpening = (entryType: JsonValue): boolean => entryType === 'DISPUTE_OPENED';

export const isDisputeEnd = (entryType: JsonValue): boolean => ENDS.has(entryType);

/** Whether an entry of this type is about a dispute that is open already. */
export const isDisputeProgress = (entryType: JsonValue): boolean => PROGRESS.has(entryType);

/** Whether an entry of this type is one of a dispute, from its opening to its end. */
export const isDisputeStep = (entryType: JsonValue): boolean =>
  isDisputeOpening(entryType) || isDisputeProgress(entryType);

const ENDS: ReadonlySet<JsonValue> = new Set(['DISPUTE_RESOLVED', 'DISPUTE_WITHDRAWN']);
const PROGRESS: ReadonlySet<JsonValue> = new Set([
  'DISPUTE_EVIDENCE_SUBMITTED',
  'DISPUTE_ESCALATED',
  ...ENDS,
]);
