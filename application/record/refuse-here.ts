import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { DisputeHead } from '../../domain/dispute/dispute.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { inCircumstances } from '../../domain/record/refusal.ts';

/**
 * A refusal, with what the record allows at this time, at this tier of its open dispute and with these children. A rule
 * knows none of them, and they are read only for a refusal.
 *
 * @param now of the database, ISO 8601.
 * @param find finds the open dispute.
 * @param hasOpenChild whether a record delegated under this one is open.
 */
export const refusedHere = async (
  error: unknown,
  record: RecordState,
  now: string,
  find: (disputeId: Uuid) => Promise<DisputeHead | null>,
  hasOpenChild: (recordId: Uuid) => Promise<boolean>,
): Promise<unknown> => {
  if (!(error instanceof NotaryError) || !error.members.allowedActions) return error;
  const { openDisputeId } = record;
  const dispute = openDisputeId === null ? null : await find(openDisputeId);
  return inCircumstances(error, record, {
    now,
    tier: dispute?.tier ?? null,
    hasOpenChild: record.childCount > 0 && (await hasOpenChild(record.id)),
  });
};
