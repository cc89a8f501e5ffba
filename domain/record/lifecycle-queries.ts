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

const transitions: readonly Transition[] = LIFECYCLE;

/** Rows of an action that start in this state of affairs. */
export const transitionsOf = (
  action: Action,
  status: RecordStatus,
  condition: Required<Condition>,
): readonly Transition[] =>
  transitions.filter(
    (transition) =>
      transition.action === action &&
      transition.from.includes(status) &&
      holds(transition.when, condition),
  );

/** Every transition that may be taken now, by whomever. */
export const transitionsFrom = (
  status: RecordStatus,
  condition: Required<Condition>,
): readonly Transition[] =>
  transitions.filter(
    (transition) => transition.from.includes(status) && holds(transition.when, condition),
  );

/** The transitions by which a record may come into being. */
export const creationTo = (to: RecordStatus): Transition => {
  const transition = transitions.find(
    (candidate) => candidate.action === 'create' && candidate.to.includes(to),
  );
  if (!transition) throw new TypeError(`no record is created ${to}`);
  return transition;
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
    (transition) =>
      transition.action === action &&
      transition.entry === entry &&
      (from === null
        ? transition.from.length === 0
        : (transition.from as readonly string[]).includes(from)) &&
      ((transition.to as readonly string[]).includes(to) ||
        (from === to && transition.to.includes('unchanged'))) &&
      holds(transition.when, condition),
  );

/** The table, and what stands beside it. */
const EVERY_ROW: readonly Transition[] = [
  ...transitions,
  ADD_REFERENCE,
  CHILDREN_ENDED,
  ...Object.values(DISPUTE_STEPS),
];

const holds = (when: Condition | undefined, { pending, counter }: Condition): boolean =>
  !when ||
  ((when.pending === undefined || pending === undefined || when.pending === pending) &&
    (when.counter === undefined || counter === undefined || when.counter === counter));
