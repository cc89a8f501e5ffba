import type { Scope } from '../identity/scopes.ts';

/** In the order of the contract. */
export const ACTIONS = [
  'create',
  'propose',
  'activate',
  'accept',
  'reject',
  'counter-propose',
  'accept-counter',
  'submit-completion',
  'render-verdict',
  'revision',
  'evaluate',
  'verify-cascade',
  'delegate',
  'cancel',
  'expire',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
  'add-reference',
  'view',
  'export-audit',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Everything that belongs to an action as such. What a state does with it stands in the lifecycle table. */
export interface ActionRow {
  readonly action: Action;
  /** Any one of them is enough; none for what the service does by itself. */
  readonly scopes: readonly Scope[];
  /** It changes nothing. */
  readonly isRead?: true;
  /** Enough as well for whoever acts as the performer. */
  readonly performerScopes?: readonly Scope[];
  /** Besides its name; absent for an action that `/transition` does not carry out. */
  readonly parameters?: ActionParameters;
  /** What guidance says of it. */
  readonly description: string;
  /** The same on a record that is final. */
  readonly finalDescription?: string;
  /** Its place on the way from a record to its outcome. */
  readonly workflow?: WorkflowPlace;
}

export type ActionParameter =
  'reason' | 'cascade' | 'criteriaHash' | 'performerAgentId' | 'criteria' | 'message';

export interface ActionParameters {
  readonly required: readonly ActionParameter[];
  readonly optional: readonly ActionParameter[];
}

export interface WorkflowPlace {
  readonly workflowStep: number;
  readonly workflowLabel: string;
  /** What follows once this is done. */
  readonly afterThis: string;
}

/** How many steps the workflow has. */
export const WORKFLOW_TOTAL = 4;

const RECORDS = ['records:write'] as const;
const DISPUTES = ['disputes:write'] as const;
/** A performer needs no more than this to consent to a proposal, or to refuse it. */
const CONSENT = ['completions:write'] as const;

const START = {
  workflowStep: 2,
  workflowLabel: 'Agree',
  afterThis: 'The performer submits a completion.',
} as const;
const OFFER = { ...START, afterThis: 'The performer accepts or rejects.' } as const;
const DELIVER = {
  workflowStep: 3,
  workflowLabel: 'Deliver',
  afterThis: 'The completion is judged, by the principal or by the gates.',
} as const;
const DECIDE = {
  workflowStep: 4,
  workflowLabel: 'Decide',
  afterThis: 'The record is final; export its audit trail.',
} as const;

/** One row an action, in the order in which actions are offered: what moves the record forward comes first. */
export const ACTION_TABLE = [
  {
    action: 'accept',
    scopes: RECORDS,
    performerScopes: CONSENT,
    parameters: { required: [], optional: ['criteriaHash'] },
    description: 'Accept the proposal',
    workflow: START,
  },
  {
    action: 'accept-counter',
    scopes: RECORDS,
    performerScopes: CONSENT,
    parameters: { required: [], optional: ['criteriaHash'] },
    description: 'Accept the counter-proposal',
    workflow: START,
  },
  {
    action: 'activate',
    scopes: RECORDS,
    parameters: { required: [], optional: [] },
    description: 'Start the work',
    workflow: START,
  },
  {
    action: 'propose',
    scopes: RECORDS,
    parameters: { required: ['performerAgentId'], optional: [] },
    description: 'Offer the record to a performer',
    workflow: OFFER,
  },
  {
    action: 'submit-completion',
    scopes: ['completions:write'],
    description: 'Deliver the work with its evidence',
    workflow: DELIVER,
  },
  {
    action: 'render-verdict',
    scopes: RECORDS,
    description: 'Accept or reject the completion',
    finalDescription: 'Override the rejection by accepting its completion',
    workflow: DECIDE,
  },
  {
    action: 'evaluate',
    scopes: RECORDS,
    parameters: { required: [], optional: [] },
    description: 'Let the gates decide on the pending completion',
    workflow: DECIDE,
  },
  {
    action: 'verify-cascade',
    scopes: RECORDS,
    parameters: { required: [], optional: [] },
    description: 'Check the delegated records against the cascade rule',
  },
  {
    action: 'delegate',
    scopes: RECORDS,
    description: 'Delegate a part of the work: create a record with this one as parentRecordId',
  },
  {
    action: 'counter-propose',
    scopes: RECORDS,
    performerScopes: CONSENT,
    parameters: { required: ['criteria'], optional: ['message'] },
    description: 'Answer with other criteria',
  },
  {
    action: 'revision',
    scopes: RECORDS,
    parameters: { required: [], optional: ['reason'] },
    description: 'Ask for a better completion',
  },
  {
    action: 'reject',
    scopes: RECORDS,
    performerScopes: CONSENT,
    parameters: { required: [], optional: ['reason'] },
    description: 'Turn the proposal down',
  },
  { action: 'open-dispute', scopes: DISPUTES, description: 'Dispute the outcome' },
  {
    action: 'submit-dispute-evidence',
    scopes: DISPUTES,
    description: 'Submit evidence to the dispute',
  },
  {
    action: 'escalate-dispute',
    scopes: DISPUTES,
    description: 'Take the dispute to the next tier',
  },
  {
    action: 'resolve-dispute',
    scopes: ['disputes:manage', 'disputes:write'],
    description: 'Resolve the dispute: concede, or decide',
  },
  { action: 'withdraw-dispute', scopes: DISPUTES, description: 'Withdraw the dispute' },
  {
    action: 'cancel',
    scopes: RECORDS,
    parameters: { required: [], optional: ['reason', 'cascade'] },
    description: 'Withdraw from the record',
  },
  { action: 'create', scopes: RECORDS, description: 'Create a record' },
  { action: 'expire', scopes: [], description: 'Let the record expire' },
  { action: 'add-reference', scopes: RECORDS, description: 'Attach an external reference' },
  {
    action: 'view',
    scopes: ['records:read'],
    isRead: true,
    description: 'Read the record again; it is the other side that acts next',
    finalDescription: 'Read the record',
  },
  {
    action: 'export-audit',
    scopes: ['audit:read'],
    isRead: true,
    description: 'Export the signed chain, to be verified offline',
  },
] as const satisfies readonly ActionRow[];

const rows: ReadonlyMap<string, ActionRow> = new Map(ACTION_TABLE.map((row) => [row.action, row]));

export const actionRow = (action: Action): ActionRow => {
  const row = findActionRow(action);
  if (!row) throw new TypeError(`the action ${action} has no row`);
  return row;
};

/** The row of a name that comes from outside; undefined where no action has it. */
export const findActionRow = (name: string): ActionRow | undefined => rows.get(name);

/** Each action once, in the order of the table. */
export const inOrder = (actions: Iterable<Action>): readonly Action[] => {
  const given = new Set(actions);
  return ORDER.filter((action) => given.has(action));
};

const ORDER: readonly Action[] = ACTION_TABLE.map(({ action }) => action);
