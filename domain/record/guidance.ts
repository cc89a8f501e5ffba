import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scopes.ts';
import { TERMINAL, transitionsFrom, type Action, type RecordStatus } from './lifecycle.ts';
import type { RecordState, Side } from './record-state.ts';
import { conditionOf, inOrder, passesGuards, validTransitions } from './refusal.ts';
import { holdsScope, sidesFor } from './action-scope.ts';
import { actingOn, mayAct, sidesOf } from './sides.ts';

/** One thing to do next. A front-end adds how it is called there. */
export interface Step {
  readonly action: Action;
  readonly description: string;
  readonly workflowStep?: number;
  readonly workflowTotal?: number;
  readonly workflowLabel?: string;
  /** What follows once this is done. */
  readonly afterThis?: string;
}

export interface Guidance {
  /** Valid now for either party, less what the key's role and scopes exclude. */
  readonly nextActions: readonly Action[];
  readonly validTransitions: readonly RecordStatus[];
  readonly suggestion: string;
  /** Why the first step is the first. */
  readonly hint: string;
  /** What this caller can do; the first one is the one to do. */
  readonly nextSteps: readonly Step[];
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
 * @param offered the actions that this release has a use case for; guidance names no other.
 * @param disputing what the disputes of the record add, which know more than the record does.
 */
export const guide = (
  record: RecordState,
  caller: Caller,
  offered: ReadonlySet<Action>,
  disputing: DisputeActions,
): Guidance => {
  const rows = transitionsFrom(record.status, conditionOf(record)).filter(
    (row) =>
      offered.has(row.action) &&
      isWorthwhile(row.action, record) &&
      row.actors.some((actor) => actor !== 'system' && actor !== 'resolver') &&
      passesGuards(row, record) &&
      holdsScope(caller, row.action, sidesFor(row.action)) &&
      !record.disputed,
  );
  const nextActions = inOrder([
    ...rows.map((row) => row.action),
    ...disputing.valid.filter((action) => offered.has(action)),
  ]);
  const acting = actingOn(caller, record);
  const sides = sidesOf(caller, record);
  const mine = inOrder([
    ...rows
      .filter((row) => mayAct(row, acting, record) && holdsScope(caller, row.action, sides))
      .map((row) => row.action),
    ...disputing.own.filter((action) => offered.has(action)),
  ]);
  const ownTurn =
    !TERMINAL.has(record.status) &&
    mine.some((action) => action !== 'cancel') &&
    awaits(record, sides);
  const steps = ownTurn ? mine : ['view' as const, ...mine];
  const closing =
    TERMINAL.has(record.status) && allows(caller, 'audit:read') ? (['export-audit'] as const) : [];
  const words = record.disputed ? DISPUTED : advice(record, ownTurn);
  return {
    nextActions,
    validTransitions: validTransitions(record),
    ...words,
    nextSteps: [...steps, ...closing].map((action) => stepFor(action, record)),
  };
};

/** Delegating, and looking at the children, is offered where the outcome depends on them. */
const isWorthwhile = (action: Action, record: RecordState): boolean =>
  record.cascadeRule !== 'none' || (action !== 'delegate' && action !== 'verify-cascade');

const awaits = (record: RecordState, sides: ReadonlySet<Side>): boolean => {
  if (record.awaiting === 'gate') return sides.has('principal');
  return (
    (record.awaiting === 'principal' || record.awaiting === 'performer') &&
    sides.has(record.awaiting)
  );
};

const allows = (caller: Caller, scope: Scope): boolean => caller.allowed.has(scope);

interface Workflow {
  readonly workflowStep: number;
  readonly workflowLabel: string;
  readonly afterThis: string;
}

const WORKFLOW_TOTAL = 4;

const WORKFLOW: { readonly [action in Action]?: Workflow } = {
  activate: {
    workflowStep: 2,
    workflowLabel: 'Agree',
    afterThis: 'The performer submits a completion.',
  },
  propose: {
    workflowStep: 2,
    workflowLabel: 'Agree',
    afterThis: 'The performer accepts or rejects.',
  },
  accept: {
    workflowStep: 2,
    workflowLabel: 'Agree',
    afterThis: 'The performer submits a completion.',
  },
  'accept-counter': {
    workflowStep: 2,
    workflowLabel: 'Agree',
    afterThis: 'The performer submits a completion.',
  },
  'submit-completion': {
    workflowStep: 3,
    workflowLabel: 'Deliver',
    afterThis: 'The completion is judged, by the principal or by the gates.',
  },
  'render-verdict': {
    workflowStep: 4,
    workflowLabel: 'Decide',
    afterThis: 'The record is final; export its audit trail.',
  },
  evaluate: {
    workflowStep: 4,
    workflowLabel: 'Decide',
    afterThis: 'The record is final; export its audit trail.',
  },
};

const DESCRIPTIONS: { readonly [action in Action]?: string } = {
  view: 'Read the record again; it is the other side that acts next',
  activate: 'Start the work',
  propose: 'Offer the record to a performer',
  accept: 'Accept the proposal',
  'accept-counter': 'Accept the counter-proposal',
  'counter-propose': 'Answer with other criteria',
  reject: 'Turn the proposal down',
  'submit-completion': 'Deliver the work with its evidence',
  'render-verdict': 'Accept or reject the completion',
  revision: 'Ask for a better completion',
  evaluate: 'Let the gates decide on the pending completion',
  delegate: 'Delegate a part of the work: create a record with this one as parentRecordId',
  'verify-cascade': 'Check the delegated records against the cascade rule',
  'open-dispute': 'Dispute the outcome',
  'submit-dispute-evidence': 'Submit evidence to the dispute',
  'escalate-dispute': 'Take the dispute to the next tier',
  'resolve-dispute': 'Resolve the dispute: concede, or decide',
  'withdraw-dispute': 'Withdraw the dispute',
  cancel: 'Withdraw from the record',
  'export-audit': 'Export the signed chain, to be verified offline',
};

const stepFor = (action: Action, record: RecordState): Step => {
  const workflow = record.status === 'FAILED' ? undefined : WORKFLOW[action];
  return {
    action,
    description:
      action === 'view' && TERMINAL.has(record.status)
        ? 'Read the record'
        : action === 'render-verdict' && record.status === 'FAILED'
          ? 'Override the rejection by accepting its completion'
          : (DESCRIPTIONS[action] ?? action),
    ...(workflow ? { ...workflow, workflowTotal: WORKFLOW_TOTAL } : {}),
  };
};

const DISPUTED = {
  suggestion: 'Submit evidence to the dispute, or wait for it to end.',
  hint: 'While the dispute is open nothing else moves the record.',
};

/** What to say of each state: to whoever's turn it is, and to everyone else. */
const advice = (record: RecordState, ownTurn: boolean): { suggestion: string; hint: string } => {
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
            suggestion: record.counterProposal
              ? 'Accept the counter-proposal, answer it, or reject it.'
              : 'Accept the proposal, answer it with other criteria, or reject it.',
            hint: 'Work starts once both sides agree.',
          }
        : waiting(`the ${record.awaiting}`);
    case 'REVISION_REQUESTED':
      if (record.awaiting === 'children') return waiting('the delegated records');
      return ownTurn
        ? {
            suggestion: 'Submit a revised completion.',
            hint: 'The principal asked for a better completion.',
          }
        : waiting('the performer');
    case 'ACTIVE':
      if (record.awaiting === 'children') return waiting('the delegated records');
      if (!record.completionPending)
        return ownTurn
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
    case 'FAILED':
      return {
        suggestion:
          'The record is FAILED; export its audit trail to keep the proof, or take a step that can still change the outcome.',
        hint: 'The chain of the record is complete and can be exported.',
      };
    default:
      return {
        suggestion: `The record is ${record.status}; export its audit trail to keep the proof.`,
        hint: 'The chain of the record is complete and can be exported.',
      };
  }
};
