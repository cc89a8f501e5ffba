import type { CascadeRule } from '../record-type/manifest.ts';
import { cascadeResult } from './cascade.ts';
import { cascadeChild, childClaim, type Child } from './child.ts';
import { CHILDREN_ENDED, type Transition } from './lifecycle.ts';
import { changeOf, type RecordChange } from './record-change.ts';
import type { RecordState } from './record-state.ts';
import { TERMINAL } from './record-status.ts';
import { guardFailure } from './refusal.ts';

export const delegate = (
  record: RecordState,
  transition: Transition,
  child: Child,
  at: string,
): RecordChange => {
  const { awaiting, cascadeRule, childCount } = record;
  const waits = cascadeRule !== 'none' && !TERMINAL.has(child.record.status);
  const { id, status, depth } = child.record;
  return changeOf(
    record,
    transition,
    at,
    { childCount: childCount + 1, awaiting: waits ? 'children' : awaiting },
    {
      child: child.record,
      sealed: { children: [childClaim(child)] },
      eventData: { childRecordId: id, depth, childStatus: status },
    },
  );
};

/** Checks the children on request. */
export const verifyCascade = (
  record: RecordState,
  transition: Transition,
  rule: CascadeRule,
  children: readonly Child[],
  at: string,
): RecordChange => cascadeVerified(record, transition, at, children, rule);

/** Checks the children after the last open one ended, or after the outcome of one was overturned. */
export const childrenEnded = (
  record: RecordState,
  rule: CascadeRule,
  children: readonly Child[],
  at: string,
): RecordChange => cascadeVerified(record, CHILDREN_ENDED, at, children, rule);

const cascadeVerified = (
  record: RecordState,
  transition: Transition,
  at: string,
  children: readonly Child[],
  rule: CascadeRule,
): RecordChange => {
  const { awaiting } = record;
  const { satisfied, counted, fulfilled } = cascadeResult(rule, children.map(cascadeChild));
  return changeOf(
    record,
    transition,
    at,
    { awaiting: awaiting === 'children' ? 'performer' : awaiting },
    {
      sealed: { children: children.map(childClaim) },
      eventData: {
        rule: rule.rule,
        satisfied,
        children: children.map(({ record: { id, status } }) => ({ id, status })),
        counted,
        fulfilled,
      },
    },
  );
};

/** @throws UNPROCESSABLE_STATE with reason children_not_terminal. */
export const assertChildrenEnded = (record: RecordState, children: readonly Child[]): void => {
  const open = children.filter(({ record }) => !TERMINAL.has(record.status)).length;
  if (open > 0)
    throw guardFailure(
      'children_not_terminal',
      `${open} of the ${children.length} delegated records ${open === 1 ? 'is' : 'are'} still open.`,
      record,
      'Wait for the delegated records to end, or cancel with cascade: true.',
    );
};

/** @param limit how deep the tree may grow below its root. */
export const assertCanDelegate = (record: RecordState, limit: number): void => {
  if (record.depth >= limit)
    throw guardFailure(
      'depth',
      `The delegation tree is at most ${limit} deep below its root, and this record is at depth ${record.depth}.`,
      record,
      'Do the work in this record, or delegate from a record nearer to the root.',
    );
};
