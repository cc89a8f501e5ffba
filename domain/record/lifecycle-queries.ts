import type { Action } from './actions.ts';
import {
  ADD_REFERENCE,
  CHILDREN_ENDED,
  DISPUTE_STEPS,
  LIFECYCLE,
  type Condition,
  type Transition,
} from './lifecycle.ts';
import type { RecordStatus } from './record-status.ts';

const rows: readonly Transition[] = LIFECYCLE;

/** Rows of an action that start in this state of affairs. */
export const transitionsOf = (
  action: Action,
  status: RecordStatus,
  condition: Required<Condition>,
): readonly Transition[] =>
  rows.filter(
    (row) => row.action === action && row.from.includes(status) && holds(row.when, condition),
  );

/** Every row that may be taken now, by whomever. */
export const transitionsFrom = (
  status: RecordStatus,
  condition: Required<Condition>,
): readonly Transition[] =>
  rows.filter((row) => row.from.includes(status) && holds(row.when, condition));

/** The rows by which a record may come into being. */
export const creationTo = (to: RecordStatus): Transition => {
  const row = rows.find((candidate) => candidate.action === 'create' && candidate.to.includes(to));
  if (!row) throw new TypeError(`no record is created ${to}`);
  return row;
};

/** A step as an entry tells it. */
export interface SealedStep {
  readonly action: string;
  /** Null: the record comes into being. */
  readonly from: string | null;
  readonly to: string;
  readonly entry: string;
}

/** Whether the lifecycle knows this step, for whoever checks a chain. What is not known of the condition does not speak against it. */
export const isStep = (
  { action, from, to, entry }: SealedStep,
  condition: Condition = {},
): boolean =>
  EVERY_ROW.some(
    (row) =>
      row.action === action &&
      row.entry === entry &&
      (from === null ? row.from.length === 0 : (row.from as readonly string[]).includes(from)) &&
      ((row.to as readonly string[]).includes(to) ||
        (from === to && row.to.includes('unchanged'))) &&
      holds(row.when, condition),
  );

/** The table, and what stands beside it. */
const EVERY_ROW: readonly Transition[] = [
  ...rows,
  ADD_REFERENCE,
  CHILDREN_ENDED,
  ...Object.values(DISPUTE_STEPS),
];

const holds = (when: Condition | undefined, { pending, counter }: Condition): boolean =>
  !when ||
  ((when.pending === undefined || pending === undefined || when.pending === pending) &&
    (when.counter === undefined || counter === undefined || when.counter === counter));
