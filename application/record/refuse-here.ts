import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { DisputeHead } from '../../domain/dispute/dispute.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { inCircumstances } from '../../domain/record/refusal.ts';

/**
 * A refusal, with what the record allows at this time and at this tier of its open dispute. A rule knows neither, and
 * where nothing is refused the dispute is not read for it.
 *
 * @param now of the database, ISO 8601.
 * @param find the open dispute.
 */
export const refusedHere = async (
  error: unknown,
  record: RecordState,
  now: string,
  find: (disputeId: Uuid) => Promise<DisputeHead | null>,
): Promise<unknown> => {
  if (!(error instanceof NotaryError) || !error.members.allowedActions) return error;
  const { openDisputeId } = record;
  const dispute = openDisputeId === null ? null : await find(openDisputeId);
  return inCircumstances(error, record, { now, tier: dispute?.tier ?? null });
};
