import type { RecordEntryType } from '../vault/entry-type.ts';
import type { Action } from './actions.ts';
import { STATUSES, type RecordStatus } from './record-status.ts';

/**
 * `awaited` and `other`: the side a proposal waits for, and the one it does not. `creator` is whoever may create.
 * `loser`: the side that the outcome went against. `initiator` and `resolver` depend on the dispute.
 */
export type LifecycleActor =
  | 'creator'
  | 'principal'
  | 'performer'
  | 'awaited'
  | 'other'
  | 'admin'
  | 'system'
  | 'loser'
  | 'initiator'
  | 'resolver';

/** Guards: the ids that the interface names in a 422, and further ones that refuse in words alone. */
export type Guard =
  | 'record_disputed'
  | 'children_not_terminal'
  | 'mode_not_principal'
  | 'mode_not_auto'
  | 'has_children_leaf_only'
  | 'leaf_record'
  | 'no_children'
  | 'not-to-oneself'
  | 'rounds'
  | 'max-revisions'
  | 'rejected-completion'
  | 'depth';

export const RECORD_EVENT_TYPES = [
  'record.recorded',
  'record.created',
  'record.proposed',
  'record.proposal_accepted',
  'record.proposal_rejected',
  'record.completion_submitted',
  'record.fulfilled',
  'record.failed',
  'record.revision_requested',
  'record.delegated',
  'record.cancelled',
  'record.expired',
  'cascading.verification.complete',
  'dispute.opened',
  'dispute.resolved',
  'dispute.withdrawn',
  'record.reference_added',
  'signal.emitted',
] as const;

export type RecordEventType = (typeof RECORD_EVENT_TYPES)[number];

/** What must hold of a record besides its status. */
export interface Condition {
  /** A completion waits for its verdict. */
  readonly pending?: boolean;
  /** A counter-proposal is on the table. */
  readonly counter?: boolean;
}

export interface Transition {
  readonly action: Action;
  /** Empty where the record is created. */
  readonly from: readonly RecordStatus[];
  /** Where it may lead; `unchanged` keeps the status. The aggregate decides among several. */
  readonly to: readonly (RecordStatus | 'unchanged')[];
  readonly when?: Condition;
  readonly actors: readonly LifecycleActor[];
  /** In the order of their refusals. */
  readonly guards: readonly Guard[];
  readonly entry: RecordEntryType;
  readonly event: RecordEventType | null;
  readonly description: string;
}

const OPEN = ['CREATED', 'PROPOSED', 'ACTIVE', 'REVISION_REQUESTED'] as const;

/**
 * The one table of the lifecycle. What is allowed, who may, which guard refuses, what is sealed and which
 * event follows: all of it stands here and nowhere else. Guidance, diagrams, documentation, tests and the
 * offline verifier are derived from it.
 */
export const LIFECYCLE = [
  {
    action: 'create',
    from: [],
    to: ['RECORDED'],
    actors: ['creator'],
    guards: [],
    entry: 'RECORD_RECORDED',
    event: 'record.recorded',
    description: 'Notarize: seal an action of a notarize-only type',
  },
  {
    action: 'create',
    from: [],
    to: ['CREATED'],
    actors: ['creator'],
    guards: [],
    entry: 'RECORD_CREATED',
    event: 'record.created',
    description: 'Draft a record without a counterparty',
  },
  {
    action: 'create',
    from: [],
    to: ['PROPOSED'],
    actors: ['creator'],
    guards: [],
    entry: 'RECORD_PROPOSED',
    event: 'record.proposed',
    description: 'Open a record as a proposal to its counterparty',
  },
  {
    action: 'create',
    from: [],
    to: ['ACTIVE'],
    actors: ['principal'],
    guards: [],
    entry: 'RECORD_CREATED',
    event: 'record.created',
    description: 'Open a record and start it at once',
  },
  {
    action: 'propose',
    from: ['CREATED'],
    to: ['PROPOSED'],
    actors: ['principal'],
    guards: ['not-to-oneself'],
    entry: 'RECORD_PROPOSED',
    event: 'record.proposed',
    description: 'Offer the record to a performer',
  },
  {
    action: 'activate',
    from: ['CREATED'],
    to: ['ACTIVE'],
    actors: ['principal'],
    guards: [],
    entry: 'RECORD_ACTIVATED',
    event: 'record.created',
    description: 'Start the work',
  },
  {
    action: 'accept',
    from: ['PROPOSED'],
    to: ['ACTIVE'],
    when: { counter: false },
    actors: ['awaited'],
    guards: [],
    entry: 'PROPOSAL_ACCEPTED',
    event: 'record.proposal_accepted',
    description: 'Accept the proposal',
  },
  {
    action: 'accept-counter',
    from: ['PROPOSED'],
    to: ['ACTIVE'],
    when: { counter: true },
    actors: ['awaited'],
    guards: [],
    entry: 'COUNTER_ACCEPTED',
    event: 'record.proposal_accepted',
    description: 'Accept the counter-proposal',
  },
  {
    action: 'reject',
    from: ['PROPOSED'],
    to: ['REJECTED'],
    actors: ['awaited'],
    guards: [],
    entry: 'PROPOSAL_REJECTED',
    event: 'record.proposal_rejected',
    description: 'Turn the proposal down',
  },
  {
    action: 'counter-propose',
    from: ['PROPOSED'],
    to: ['PROPOSED'],
    actors: ['awaited'],
    guards: ['rounds'],
    entry: 'COUNTER_PROPOSED',
    event: 'record.proposed',
    description: 'Answer with other criteria',
  },
  {
    action: 'submit-completion',
    from: ['ACTIVE'],
    to: ['ACTIVE'],
    when: { pending: false },
    actors: ['performer'],
    guards: ['children_not_terminal'],
    entry: 'COMPLETION_SUBMITTED',
    event: 'record.completion_submitted',
    description: 'Deliver the work with its evidence',
  },
  {
    action: 'submit-completion',
    from: ['REVISION_REQUESTED'],
    to: ['ACTIVE'],
    actors: ['performer'],
    guards: ['children_not_terminal'],
    entry: 'COMPLETION_SUBMITTED',
    event: 'record.completion_submitted',
    description: 'Deliver the revised work with its evidence',
  },
  {
    action: 'render-verdict',
    from: ['ACTIVE'],
    to: ['FULFILLED'],
    when: { pending: true },
    actors: ['principal'],
    guards: ['mode_not_principal', 'children_not_terminal'],
    entry: 'VERDICT_RENDERED',
    event: 'record.fulfilled',
    description: 'Accept the completion',
  },
  {
    action: 'render-verdict',
    from: ['ACTIVE'],
    to: ['FAILED'],
    when: { pending: true },
    actors: ['principal'],
    guards: ['mode_not_principal'],
    entry: 'VERDICT_RENDERED',
    event: 'record.failed',
    description: 'Reject the completion',
  },
  {
    action: 'render-verdict',
    from: ['FAILED'],
    to: ['REMEDIATED'],
    actors: ['principal'],
    guards: ['record_disputed', 'mode_not_principal', 'rejected-completion'],
    entry: 'VERDICT_RENDERED',
    event: 'record.fulfilled',
    description: 'Override an earlier rejection',
  },
  {
    action: 'revision',
    from: ['ACTIVE'],
    to: ['REVISION_REQUESTED'],
    when: { pending: true },
    actors: ['principal'],
    guards: ['mode_not_principal', 'max-revisions'],
    entry: 'REVISION_REQUESTED',
    event: 'record.revision_requested',
    description: 'Ask for a better completion',
  },
  {
    action: 'evaluate',
    from: ['ACTIVE'],
    to: ['FULFILLED'],
    when: { pending: true },
    actors: ['principal', 'admin', 'system'],
    guards: ['mode_not_auto', 'has_children_leaf_only'],
    entry: 'GATE_EVALUATED',
    event: 'record.fulfilled',
    description: 'Evaluate the gates: they pass',
  },
  {
    action: 'evaluate',
    from: ['ACTIVE'],
    to: ['FAILED'],
    when: { pending: true },
    actors: ['principal', 'admin', 'system'],
    guards: ['mode_not_auto', 'has_children_leaf_only'],
    entry: 'GATE_EVALUATED',
    event: 'record.failed',
    description: 'Evaluate the gates: one fails',
  },
  {
    action: 'verify-cascade',
    from: ['ACTIVE'],
    to: ['unchanged'],
    actors: ['principal', 'performer', 'admin', 'system'],
    guards: ['leaf_record', 'no_children', 'children_not_terminal'],
    entry: 'CASCADE_VERIFIED',
    event: 'cascading.verification.complete',
    description: 'Check the children against the cascade rule',
  },
  {
    action: 'delegate',
    from: ['ACTIVE'],
    to: ['unchanged'],
    when: { pending: false },
    actors: ['performer'],
    guards: ['depth'],
    entry: 'CHILD_DELEGATED',
    event: 'record.delegated',
    description: 'Delegate part of the work',
  },
  {
    action: 'delegate',
    from: ['REVISION_REQUESTED'],
    to: ['unchanged'],
    actors: ['performer'],
    guards: ['depth'],
    entry: 'CHILD_DELEGATED',
    event: 'record.delegated',
    description: 'Delegate part of the revised work',
  },
  {
    action: 'cancel',
    from: ['CREATED'],
    to: ['CANCELLED'],
    actors: ['principal'],
    guards: ['children_not_terminal'],
    entry: 'RECORD_CANCELLED',
    event: 'record.cancelled',
    description: 'Withdraw the draft',
  },
  {
    action: 'cancel',
    from: ['PROPOSED'],
    to: ['CANCELLED'],
    actors: ['other'],
    guards: ['children_not_terminal'],
    entry: 'RECORD_CANCELLED',
    event: 'record.cancelled',
    description: 'Withdraw the proposal',
  },
  {
    action: 'cancel',
    from: ['ACTIVE'],
    to: ['CANCELLED'],
    when: { pending: false },
    actors: ['principal', 'performer'],
    guards: ['children_not_terminal'],
    entry: 'RECORD_CANCELLED',
    event: 'record.cancelled',
    description: 'Stop the work',
  },
  {
    action: 'cancel',
    from: ['ACTIVE'],
    to: ['CANCELLED'],
    when: { pending: true },
    actors: ['principal'],
    guards: ['children_not_terminal'],
    entry: 'RECORD_CANCELLED',
    event: 'record.cancelled',
    description: 'Stop the work, the pending completion included',
  },
  {
    action: 'cancel',
    from: ['REVISION_REQUESTED'],
    to: ['CANCELLED'],
    actors: ['principal', 'performer'],
    guards: ['children_not_terminal'],
    entry: 'RECORD_CANCELLED',
    event: 'record.cancelled',
    description: 'Stop the work',
  },
  {
    action: 'expire',
    from: OPEN,
    to: ['EXPIRED'],
    actors: ['system'],
    guards: [],
    entry: 'RECORD_EXPIRED',
    event: 'record.expired',
    description: 'The time ran out before a verdict',
  },
  {
    action: 'resolve-dispute',
    from: ['FULFILLED'],
    to: ['FAILED'],
    actors: ['resolver'],
    guards: [],
    entry: 'DISPUTE_RESOLVED',
    event: 'dispute.resolved',
    description: 'A dispute overturns the acceptance',
  },
  {
    action: 'resolve-dispute',
    from: ['FAILED', 'EXPIRED', 'CANCELLED'],
    to: ['REMEDIATED'],
    actors: ['resolver'],
    guards: [],
    entry: 'DISPUTE_RESOLVED',
    event: 'dispute.resolved',
    description: 'A dispute overturns the outcome in the favour of the performer',
  },
] as const satisfies readonly Transition[];

/**
 * Possible in every status, also while a dispute is open, and without effect on it: so it stands beside the table, and
 * guidance leaves it out.
 */
export const ADD_REFERENCE: Transition = {
  action: 'add-reference',
  from: STATUSES,
  to: ['unchanged'],
  actors: ['principal', 'performer', 'admin'],
  guards: [],
  entry: 'REFERENCE_ADDED',
  event: 'record.reference_added',
  description: 'Attach an external reference',
};

/** What the end of the last open child does to a parent that is still open. */
export const CHILDREN_ENDED: Transition = {
  action: 'verify-cascade',
  from: ['ACTIVE', 'REVISION_REQUESTED'],
  to: ['unchanged'],
  actors: ['system'],
  guards: [],
  entry: 'CASCADE_VERIFIED',
  event: 'cascading.verification.complete',
  description: 'The last open child ended',
};

const DISPUTABLE = ['FULFILLED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;

/**
 * The steps of a dispute that leave the status of the record as it is. Beside the table, because nothing of the
 * table moves a record while a dispute is open on it.
 */
export const DISPUTE_STEPS = {
  open: {
    action: 'open-dispute',
    from: DISPUTABLE,
    to: ['unchanged'],
    actors: ['loser'],
    guards: ['record_disputed'],
    entry: 'DISPUTE_OPENED',
    event: 'dispute.opened',
    description: 'Dispute the outcome',
  },
  submitEvidence: {
    action: 'submit-dispute-evidence',
    from: DISPUTABLE,
    to: ['unchanged'],
    actors: ['principal', 'performer'],
    guards: [],
    entry: 'DISPUTE_EVIDENCE_SUBMITTED',
    event: null,
    description: 'Submit evidence to the dispute',
  },
  escalate: {
    action: 'escalate-dispute',
    from: DISPUTABLE,
    to: ['unchanged'],
    actors: ['principal', 'performer'],
    guards: [],
    entry: 'DISPUTE_ESCALATED',
    event: null,
    description: 'Take the dispute to the next tier',
  },
  uphold: {
    action: 'resolve-dispute',
    from: DISPUTABLE,
    to: ['unchanged'],
    actors: ['resolver'],
    guards: [],
    entry: 'DISPUTE_RESOLVED',
    event: 'dispute.resolved',
    description: 'A dispute upholds the outcome',
  },
  withdraw: {
    action: 'withdraw-dispute',
    from: DISPUTABLE,
    to: ['unchanged'],
    actors: ['initiator'],
    guards: [],
    entry: 'DISPUTE_WITHDRAWN',
    event: 'dispute.withdrawn',
    description: 'Withdraw the dispute',
  },
} as const satisfies Record<string, Transition>;
