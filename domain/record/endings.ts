import type { Transition } from './lifecycle.ts';
import { transitionsOf } from './lifecycle-queries.ts';
import { changeOf, reasonOf, type RecordChange } from './record-change.ts';
import type { RecordState, Side } from './record-state.ts';
import { conditionOf, wrongState } from './refusal.ts';

export const cancel = (
  record: RecordState,
  transition: Transition,
  by: Side,
  reason: string | null,
  at: string,
): RecordChange =>
  changeOf(
    record,
    transition,
    at,
    {
      status: 'CANCELLED',
      awaiting: null,
      terminalAt: at,
      completionPending: false,
      cancelledBy: by,
    },
    { sealed: { ...reasonOf(reason), cancelledBy: by }, eventData: { reason, cancelledBy: by } },
  );

/** Cancels a record because one above it was cancelled with its whole subtree. */
export const cancelWithParent = (record: RecordState, at: string): RecordChange => {
  const [transition] = transitionsOf('cancel', record.status, conditionOf(record));
  if (!transition) throw wrongState('cancel', record, 'CANCELLED');
  return cancel(record, transition, 'principal', 'parent_cancelled', at);
};

export const expire = (record: RecordState, transition: Transition, at: string): RecordChange =>
  changeOf(
    record,
    transition,
    at,
    { status: 'EXPIRED', awaiting: null, terminalAt: at, completionPending: false },
    { sealed: {}, eventData: {} },
  );
