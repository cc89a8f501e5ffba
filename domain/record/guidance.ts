import { OWN_OF_MIRROR, stepObstacle } from './federated-record.ts';
import type { Caller } from '../identity/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { holdsScope, holdsScopeOfSomeSide } from './action-scope.ts';
import { actionRow, inOrder, WORKFLOW_TOTAL, type WorkflowPlace } from './actions.ts';
import { TERMINAL, type RecordStatus } from './record-status.ts';
import { transitionsFrom } from './lifecycle-queries.ts';
import type { Action } from './actions.ts';
import type { RecordState, Side } from './record-state.ts';
import { conditionOf, isForParties, passesGuards, validTransitions } from './refusal.ts';
import { actingOn, mayAct, sidesOf } from './sides.ts';

/** One thing to do next. A front-end adds how it is called there. */
export interface GuidanceStep extends Partial<WorkflowPlace> {
  readonly action: Action;
  readonly description: string;
  /** The completion that a verdict is on. */
  readonly completionId?: Uuid;
  readonly workflowTotal?: number;
}

export interface Guidance {
  /** Valid now for either party, less what the key's role and scopes exclude. */
  readonly nextActions: readonly Action[];
  readonly validTransitions: readonly RecordStatus[];
  readonly suggestion: string;
  /** Why the first step comes first. */
  readonly hint: string;
  /** What this caller can do; the first one is the one to do. */
  readonly nextSteps: readonly GuidanceStep[];
}

/** The actions on a dispute of the record that are valid now. */
export interface DisputeActions {
  /** For some side, as far as the scopes of the key go. */
  readonly valid: readonly Action[];
  /** For this caller. */
  readonly own: readonly Action[];
}

/**
 * What to do next with a record, for one caller.
 *
 * @param valid the actions on its disputes, which depend on more than the record.
 * @param now ISO 8601; without it, the dispute window counts as open.
 */
export const guide = (
  record: RecordState,
  caller: Caller,
  valid: DisputeActions,
  now?: string,
): Guidance => {
  const takesSteps = stepObstacle(record) === null;
  const transitions = transitionsFrom(record.status, conditionOf(record)).filter(
    (transition) =>
      isWorthwhile(transition.action, record) &&
      isForParties(transition) &&
      passesGuards(transition, record) &&
      holdsScopeOfSomeSide(caller, transition.action) &&
      !record.disputed &&
      (takesSteps || OWN_OF_MIRROR.has(transition.action)),
  );
  const disputing = takesSteps ? valid : NO_DISPUTING;
  const nextActions = inOrder([
    ...transitions.map((transition) => transition.action),
    ...disputing.valid,
  ]);
  const acting = actingOn(caller, record);
  const sides = sidesOf(caller, record);
  const mine = inOrder([
    ...transitions
      .filter(
        (transition) =>
          mayAct(transition, acting, record) && holdsScope(caller, transition.action, sides),
      )
      .map((transition) => transition.action),
    ...disputing.own,
  ]);
  const ownTurn =
    !TERMINAL.has(record.status) &&
    mine.some((action) => action !== 'cancel') &&
    awaits(record, sides);
  const steps = ownTurn ? mine : ['view' as const, ...mine];
  const closing =
    TERMINAL.has(record.status) && mayExport(caller) ? (['export-audit'] as const) : [];
  const words = wordsOf(record, ownTurn, new Set([...mine, ...closing]));
  return {
    nextActions,
    validTransitions: validTransitions(record, now),
    ...words,
    nextSteps: [...steps, ...closing].map((action) => stepFor(action, record)),
  };
};

const NO_DISPUTING: DisputeActions = { valid: [], own: [] };

const wordsOf = (
  record: RecordState,
  ownTurn: boolean,
  open: ReadonlySet<Action>,
): { readonly suggestion: string; readonly hint: string } => {
  switch (stepObstacle(record)) {
    case 'pending':
      return {
        suggestion: 'Wait for the home of the record to answer the step.',
        hint: 'One step is taken at a time; pendingStep shows the one that waits.',
      };
    case 'detached':
      return {
        suggestion: 'Settle the matter with the principal; the audit trail is the proof.',
        hint: 'The record is detached from its home: no step reaches it any more.',
      };
    case 'exhausted':
      return {
        suggestion: 'Settle the matter with the principal directly.',
        hint: 'Home refused too many steps of this record; it takes no more.',
      };
    case null:
      return record.disputed ? disputedAdvice(open) : advice(record, ownTurn, open);
  }
};

/** Delegation and the check of children are offered only where the outcome depends on children. */
const isWorthwhile = (action: Action, record: RecordState): boolean =>
  record.cascadeRule !== 'none' || (action !== 'delegate' && action !== 'verify-cascade');

const awaits = (record: RecordState, sides: ReadonlySet<Side>): boolean => {
  if (record.awaiting === 'gate') return sides.has('principal');
  return (
    (record.awaiting === 'principal' || record.awaiting === 'performer') &&
    sides.has(record.awaiting)
  );
};

const mayExport = (caller: Caller): boolean =>
  actionRow('export-audit').scopes.some((scope) => caller.allowed.has(scope));

export const stepFor = (action: Action, record: RecordState): GuidanceStep => {
  const { description, finalDescription, workflow } = actionRow(action);
  return {
    action,
    description:
      action === 'cancel' && record.childCount > 0
        ? `${description}; while a delegated record is open, only with {"cascade": true}`
        : TERMINAL.has(record.status)
          ? (finalDescription ?? description)
          : description,
    ...(action === 'render-verdict' && record.latestCompletionId !== null
      ? { completionId: record.latestCompletionId }
      : {}),
    // A record that failed has left the workflow; what can still be done is not a step of it.
    ...(workflow && record.status !== 'FAILED'
      ? { ...workflow, workflowTotal: WORKFLOW_TOTAL }
      : {}),
  };
};

const disputedAdvice = (open: ReadonlySet<Action>): { suggestion: string; hint: string } => ({
  suggestion: open.has('submit-dispute-evidence')
    ? 'Submit evidence to the dispute, or wait for it to end.'
    : 'Wait for the dispute to end.',
  hint: 'While the dispute is open nothing else moves the record.',
});

/**
 * The advice for each state, for the caller whose turn it is and for everyone else.
 *
 * @param open the actions that the advice may name: those that this caller can take.
 */
const advice = (
  record: RecordState,
  ownTurn: boolean,
  open: ReadonlySet<Action>,
): { suggestion: string; hint: string } => {
  const waiting = (who: string): { suggestion: string; hint: string } => ({
    suggestion: `Wait for ${who}.`,
    hint: `It is for ${who} to act; reading the record again shows when that is done.`,
  });
  switch (record.status) {
    case 'CREATED':
      return ownTurn
        ? {
            suggestion: 'Activate the record to start the work.',
            hint: 'Nothing runs, and nobody else sees a duty in it, before the record is active.',
          }
        : waiting('the principal');
    case 'PROPOSED':
      return ownTurn
        ? {
            suggestion: proposalAdvice(record, open),
            hint: 'Work starts once both sides agree.',
          }
        : waiting(`the ${record.awaiting}`);
    case 'REVISION_REQUESTED':
      if (record.awaiting === 'children') return waiting('the delegated records');
      return ownTurn && open.has('submit-completion')
        ? {
            suggestion: 'Submit a revised completion.',
            hint: 'The principal asked for a better completion.',
          }
        : waiting('the performer');
    case 'ACTIVE':
      if (record.awaiting === 'children') return waiting('the delegated records');
      if (!record.completionPending)
        return ownTurn && open.has('submit-completion')
          ? {
              suggestion: 'Submit a completion with its evidence.',
              hint: 'The record is active and waits for the work.',
            }
          : waiting('the performer');
      if (record.awaiting === 'gate')
        return ownTurn
          ? {
              suggestion: 'Evaluate the pending completion.',
              hint: 'Its gates were not evaluated yet.',
            }
          : waiting('the gates');
      return ownTurn
        ? {
            suggestion: 'Accept or reject the completion.',
            hint: 'A completion waits for your verdict.',
          }
        : waiting('the principal');
    default:
      return finalAdvice(record, open);
  }
};

const proposalAdvice = (record: RecordState, open: ReadonlySet<Action>): string => {
  if (!open.has('counter-propose'))
    return `Accept the ${record.counterProposal ? 'counter-proposal' : 'proposal'}, or reject it.`;
  return record.counterProposal
    ? 'Accept the counter-proposal, answer it, or reject it.'
    : 'Accept the proposal, answer it with other criteria, or reject it.';
};

const finalAdvice = (
  { status }: RecordState,
  open: ReadonlySet<Action>,
): { suggestion: string; hint: string } => {
  const exports = open.has('export-audit');
  const changes = status === 'FAILED' && open.size > (exports ? 1 : 0);
  const steps = [
    ...(exports ? ['export its audit trail to keep the proof'] : []),
    ...(changes ? ['take a step that can still change the outcome'] : []),
  ];
  return {
    suggestion: `The record is ${status}${steps.length > 0 ? `; ${steps.join(', or ')}` : ''}.`,
    hint: `The chain of the record is complete${exports ? ' and can be exported' : ''}.`,
  };
};
