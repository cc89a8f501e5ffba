import { NotaryError, type ErrorCode } from '../kernel/errors.ts';
import { inOrder } from './actions.ts';
import { LIFECYCLE, type Guard, type Transition } from './lifecycle.ts';
import { STATUSES, TERMINAL, type RecordStatus } from './record-status.ts';
import { transitionsFrom } from './lifecycle-queries.ts';
import type { Action } from './actions.ts';
import { MAX_CHILDREN, MAX_ROUNDS } from './limits.ts';
import type { RecordState } from './record-state.ts';
import { isDisputable } from './settlement.ts';
import { actorNames } from './sides.ts';

export const conditionOf = (
  record: RecordState,
): { readonly pending: boolean; readonly counter: boolean } => ({
  pending: record.completionPending,
  counter: record.counterProposal !== null,
});

/** What the row of a record does not say. */
export interface Circumstances {
  /** The time of the database, ISO 8601. */
  readonly now: string;
  /** The tier that the open dispute has reached. */
  readonly tier: number | null;
  /** Whether a record delegated under it is open, or may be. */
  readonly hasOpenChild: boolean;
}

/**
 * What the record allows to anyone, in the order in which an error lists it.
 *
 * @param known without it, the dispute window counts as open, the dispute as below its last tier and the children as
 * ended.
 */
export const allowedActions = (record: RecordState, known?: Circumstances): readonly Action[] => {
  const moves = inOrder(
    transitionsFrom(record.status, conditionOf(record))
      .filter((transition) => isForParties(transition) && passesGuards(transition, record))
      .map((transition) => transition.action)
      .filter((action) => action !== 'verify-cascade' || !mayWait(record, known)),
  );
  if (!TERMINAL.has(record.status)) return moves;
  if (record.disputed)
    return [
      'view',
      'export-audit',
      'submit-dispute-evidence',
      ...(known?.tier === LAST_TIER ? [] : (['escalate-dispute'] as const)),
      'resolve-dispute',
      'withdraw-dispute',
    ];
  return [
    'view',
    'export-audit',
    ...moves,
    ...(isDisputable(record, known?.now ?? '') ? (['open-dispute'] as const) : []),
  ];
};

/** Whether a child may still be open although no rule waits for it, so that the row does not say so. */
const mayWait = (record: RecordState, known?: Circumstances): boolean =>
  record.cascadeRule === 'none' && known?.hasOpenChild === true;

/** A dispute goes no higher. */
const LAST_TIER = 3;

/** The same refusal, with what the record allows in these circumstances. */
export const inCircumstances = (
  refusal: NotaryError,
  record: RecordState,
  known: Circumstances,
): NotaryError => {
  const { code, message, members, cause } = refusal;
  if (!members.allowedActions) return refusal;
  // What the refusal left out stays out.
  const named: readonly string[] = members.allowedActions;
  const allowed = allowedActions(record, known).filter((action) => named.includes(action));
  const suggestion =
    members.suggestion === allowing(members.allowedActions)
      ? { suggestion: allowing(allowed) }
      : {};
  return new NotaryError(
    code,
    message,
    {
      ...members,
      allowedActions: allowed,
      ...(members.validTransitions
        ? { validTransitions: validTransitions(record, known.now) }
        : {}),
      ...suggestion,
    },
    { cause },
  );
};

const allowing = (allowed: readonly string[]): string =>
  allowed.length > 0
    ? `What the record allows now: ${allowed.join(', ')}.`
    : 'The record allows nothing more.';

/**
 * States that a party may reach by an action of its own; what only the system or a dispute reaches is left out, except
 * REMEDIATED after FAILED.
 *
 * @param now without it, the dispute window counts as open.
 */
export const validTransitions = (record: RecordState, now = ''): readonly RecordStatus[] => {
  const isRevisable =
    record.completionPending &&
    record.gateMode === 'principal' &&
    record.revisionCount < record.maxRevisions;
  // No verdict overrides the gates, so only a dispute changes their outcome.
  const isFinal =
    record.status === 'FAILED' &&
    record.gateMode === 'auto' &&
    !record.disputed &&
    !isDisputable(record, now);
  if (isFinal) return [];
  return (isRevisable ? REACHABLE_REVISABLE : REACHABLE).get(record.status) ?? [];
};

/** Whether a party, or an admin for it, may take the transition at all. */
export const isForParties = (transition: Transition): boolean =>
  transition.actors.some((actor) => actor !== 'system' && actor !== 'resolver');

/**
 * In the order of the table.
 *
 * @param isRevisable the principal has a completion to judge and may ask for a better one, which takes the record back.
 */
const reachable = (status: RecordStatus, isRevisable: boolean): readonly RecordStatus[] => {
  const targets = (LIFECYCLE as readonly Transition[])
    .filter((transition) => transition.from.includes(status) && isForParties(transition))
    .filter((transition) => isRevisable || transition.action !== 'revision')
    .flatMap(({ to }) => to)
    .filter((to): to is RecordStatus => to !== 'unchanged' && to !== status);
  return [...new Set(targets)];
};

const ofEachStatus = (isRevisable: boolean): ReadonlyMap<RecordStatus, readonly RecordStatus[]> =>
  new Map(STATUSES.map((status) => [status, reachable(status, isRevisable)]));
const REACHABLE = ofEachStatus(false);
const REACHABLE_REVISABLE = ofEachStatus(true);

/** The guards that the record alone decides. The others are decided where their facts are loaded. */
const RECORD_GUARDS: {
  readonly [guard in Guard]?: {
    readonly holds: (record: RecordState) => boolean;
    readonly detail: string;
    readonly suggestion: string;
  };
} = {
  mode_not_principal: {
    holds: (record) => record.gateMode === 'principal',
    detail:
      'The gates of this record type decide by themselves (gateMode auto); no verdict is rendered by hand.',
    suggestion: 'Read the outcome of the gates at gate-status.',
  },
  mode_not_auto: {
    holds: (record) => record.gateMode === 'auto',
    detail:
      'The principal decides on this record type (gateMode principal); the gates only advise.',
    suggestion: 'Render a verdict instead.',
  },
  'max-revisions': {
    holds: (record) => record.revisionCount < record.maxRevisions,
    detail: 'No further revision may be requested: the limit of the record type is reached.',
    suggestion: 'Accept or reject the completion that is there.',
  },
  rounds: {
    holds: (record) => record.proposalRounds < MAX_ROUNDS,
    detail: `A proposal goes back and forth at most ${MAX_ROUNDS} times.`,
    suggestion: 'Accept what is on the table, or reject it.',
  },
  depth: {
    holds: (record) => record.childCount < MAX_CHILDREN,
    detail: `A record has at most ${MAX_CHILDREN} children.`,
    suggestion: 'Delegate further parts under one of the children.',
  },
  has_children_leaf_only: {
    holds: (record) => record.childCount === 0,
    detail: 'The record has children; its gates are evaluated together with them.',
    suggestion: 'Use verify-cascade instead.',
  },
  children_not_terminal: {
    holds: (record) => record.awaiting !== 'children',
    detail: 'Delegated records are still open, and the cascade rule of the type waits for them.',
    suggestion: 'Wait for the delegated records to end.',
  },
  leaf_record: {
    holds: (record) => record.parentRecordId === null || record.childCount > 0,
    detail: 'The record is itself a child without children; there is no cascade to verify.',
    suggestion: 'Use evaluate instead.',
  },
  no_children: {
    holds: (record) => record.childCount > 0,
    detail: 'The record has no children; there is no cascade to verify.',
    suggestion: 'Submit a completion instead.',
  },
};

/** The guard ids that the interface names; other guards refuse in words alone. */
const GUARD_IDS: ReadonlySet<Guard> = new Set<Guard>([
  'has_children_leaf_only',
  'leaf_record',
  'no_children',
  'children_not_terminal',
  'mode_not_auto',
  'mode_not_principal',
]);

/** The first guard of the transition that the record itself refuses, as far as a record decides it. */
const refusingGuard = (transition: Transition, record: RecordState): Guard | undefined =>
  transition.guards.find(
    (guard) => applies(guard, transition) && RECORD_GUARDS[guard]?.holds(record) === false,
  );

/** A cancellation may include the children, so open children alone do not prevent it. */
const applies = (guard: Guard, transition: Transition): boolean =>
  !(guard === 'children_not_terminal' && transition.action === 'cancel');

/** Whether the transition's guards, as far as the record decides them, let it pass. */
export const passesGuards = (transition: Transition, record: RecordState): boolean =>
  refusingGuard(transition, record) === undefined;

export const disputedRefusal = (record: RecordState): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE_STATE',
    'A dispute is open on this record; nothing else moves it until the dispute ends.',
    {
      ...context(record),
      reason: 'record_disputed',
      openDisputeId: record.openDisputeId,
      suggestion: 'Wait for the dispute to be resolved or withdrawn.',
    },
  );

export const wrongSide = (
  action: Action,
  transitions: readonly Transition[],
  record: RecordState,
): NotaryError => {
  const names = actorNames(transitions, record);
  const who = `the ${names.join(' or the ')}`;
  return new NotaryError('FORBIDDEN', `The action ${action} is for ${who} of this record.`, {
    attemptedAction: action,
    allowedActors: names,
    suggestion:
      action === 'submit-completion' && record.status === 'CREATED'
        ? 'Activate the record first; its principal is then its performer.'
        : `Let ${who} do this, or use a key of that side.`,
  });
};

export const wrongState = (
  action: string,
  record: RecordState,
  attemptedState?: RecordStatus,
): NotaryError => {
  const allowed = allowedActions(record);
  const suggestion = allowing(allowed);
  const target =
    attemptedState ??
    (LIFECYCLE as readonly Transition[]).find((transition) => transition.action === action)?.to[0];
  return new NotaryError(
    'INVALID_ACTION',
    `A record that is ${describe(record)} does not allow ${action}.`,
    {
      attemptedAction: action,
      ...context(record),
      attemptedTransition: action,
      ...(target && target !== 'unchanged' ? { attemptedState: target } : {}),
      suggestion,
    },
  );
};

/** The first guard of the transition that the record itself refuses. */
export const guardRefusal = (transition: Transition, record: RecordState): NotaryError | null => {
  const guard = refusingGuard(transition, record);
  const rule = guard && RECORD_GUARDS[guard];
  return guard && rule ? guardFailure(guard, rule.detail, record, rule.suggestion) : null;
};

export const guardFailure = (
  guard: Guard,
  detail: string,
  record: RecordState,
  suggestion: string,
  code: ErrorCode = 'UNPROCESSABLE_STATE',
): NotaryError =>
  new NotaryError(code, detail, {
    ...context(record),
    ...(GUARD_IDS.has(guard) ? { reason: guard } : {}),
    suggestion,
  });

/** What every refusal for the state of a record contains. */
export const context = (record: RecordState) => ({
  currentState: record.status,
  validTransitions: validTransitions(record),
  allowedActions: allowedActions(record),
});

const describe = (record: RecordState): string => {
  if (record.status !== 'ACTIVE') return record.status;
  return record.completionPending
    ? 'ACTIVE with a completion that waits for its verdict'
    : 'ACTIVE with no completion to judge';
};
