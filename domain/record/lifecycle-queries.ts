import type { Action } from './actions.ts';
import {
  ADD_REFERENCE,
  CHILDREN_ENDED,
  DISPUTE_STEPS,
  LIFECYCLE,
  type Condition,
  type Transition,
} from './lifecycle.ts';
import type { RecordEntryType } from '../vault/entry-type.ts';
import type { RecordStatus } from './record-status.ts';

const transitions: readonly Transition[] = LIFECYCLE;

/** The transitions of an action from this status under this condition. */
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

/** Every transition from this status under this condition, whoever may take it. */
export const transitionsFrom = (
  status: RecordStatus,
  condition: Required<Condition>,
): readonly Transition[] =>
  transitions.filter(
    (transition) => transition.from.includes(status) && holds(transition.when, condition),
  );

/** The transition that creates a record in this status. */
export const creationTo = (to: RecordStatus): Transition => {
  const transition = transitions.find(
    (candidate) => candidate.action === 'create' && candidate.to.includes(to),
  );
  if (!transition) throw new TypeError(`no record is created ${to}`);
  return transition;
};

/** Every status in which a record may begin. */
export const OPENING_STATUSES: ReadonlySet<string> = new Set(
  transitions.filter(({ action }) => action === 'create').flatMap(({ to }) => to),
);

/** A step as a chain entry states it. */
export interface SealedStep {
  readonly action: string;
  /** Null where the record is created. */
  readonly from: string | null;
  readonly to: string;
  readonly entry: string;
}

/**
 * The transitions that a sealed step may have been, for the check of a chain; none where the lifecycle does not have it.
 * An unknown part of the condition is not held against it.
 */
export const stepsLike = (
  { action, from, to, entry }: SealedStep,
  condition: Condition = {},
): readonly Transition[] =>
  EVERY_ROW.filter(
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

/** Every transition of an action from this status, those beside the table too. */
export const stepsOf = (
  action: string,
  from: RecordStatus,
  condition: Condition,
): readonly Transition[] =>
  EVERY_ROW.filter(
    (transition) =>
      transition.action === action &&
      transition.from.includes(from) &&
      holds(transition.when, condition),
  );

/** What an action of a step may be sealed as. */
export const entriesOf = (action: string): readonly RecordEntryType[] => [
  ...new Set(EVERY_ROW.filter((row) => row.action === action).map(({ entry }) => entry)),
];

/** Whether the lifecycle has this step. */
export const isStep = (step: SealedStep, condition: Condition = {}): boolean =>
  stepsLike(step, condition).length > 0;

/** The table and the transitions beside it. */
const EVERY_ROW: readonly Transition[] = [
  ...transitions,
  ADD_REFERENCE,
  CHILDREN_ENDED,
  ...Object.values(DISPUTE_STEPS),
];

/** Whether a record that stood at one status may stand at another one later. */
export const mayBecome = (from: RecordStatus, to: RecordStatus): boolean => {
  const reached = new Set<string>([from]);
  for (const status of reached)
    for (const transition of EVERY_ROW)
      if ((transition.from as readonly string[]).includes(status))
        for (const next of transition.to) if (next !== 'unchanged') reached.add(next);
  return reached.has(to);
};

const holds = (when: Condition | undefined, { pending, counter }: Condition): boolean =>
  !when ||
  ((when.pending === undefined || pending === undefined || when.pending === pending) &&
    (when.counter === undefined || counter === undefined || when.counter === counter));
