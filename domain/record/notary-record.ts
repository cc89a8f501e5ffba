import type { JsonObject } from '../kernel/canonical-json.ts';
import type { OnBehalfOf } from '../identity/on-behalf-of.ts';
import { NotaryError } from '../kernel/errors.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { isNotarizeOnly } from '../record-type/manifest.ts';
import type { CascadeRule, RecordType } from '../record-type/manifest.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { ClaimedGateResult, GateClaim } from './record-statement.ts';
import { cascadeResult } from './cascade.ts';
import { cascadeChild, childClaim, MAX_CHILDREN, type Child } from './child.ts';
import type { Completion } from './completion.ts';
import type { GateState } from './gate.ts';
import type { GateResult } from '../record-type/gate-evaluator.port.ts';
import {
  ADD_REFERENCE,
  CHILDREN_ENDED,
  creationTo,
  LIFECYCLE,
  TERMINAL,
  transitionsOf,
  type Action,
  type RecordStatus,
  type Transition,
} from './lifecycle.ts';
import { encryptionOf } from './jwe.ts';
import type { RecordChange } from './record-change.ts';
import { MAX_REFERENCES, type ReferenceTarget } from '../kernel/reference-target.ts';
import type { Reference } from './reference.ts';
import { criteriaHashOnTable, type Awaiting, type RecordState, type Side } from './record-state.ts';
import {
  conditionOf,
  disputedRefusal,
  guardFailure,
  guardRefusal,
  wrongSide,
  wrongState,
  type Attempt,
} from './refusal.ts';
import { mayAct, type Acting } from './sides.ts';

const DAY_MS = 86_400_000;
/** Counter-proposals on one record. */
const MAX_ROUNDS = 10;

export interface Party {
  readonly agentId: Uuid;
  readonly orgId: Uuid;
}

export interface RecordDraft {
  readonly id: Uuid;
  readonly recordType: RecordType;
  readonly principal: Party;
  readonly performer: Party | null;
  /** The side that creates it. */
  readonly creator: Side;
  readonly criteria: JsonObject;
  readonly platform: string;
  readonly platformRef: string | null;
  readonly message: string | null;
  readonly autoActivate: boolean;
  readonly expiresAt: string | null;
  readonly onBehalfOf?: OnBehalfOf | null;
  /** The record that it is delegated under. */
  readonly parent?: RecordState;
}

/** The aggregate: every change of a record is one of these methods, and each asks the table first. Times are ISO 8601. */
export class NotaryRecord {
  constructor(readonly state: RecordState) {}

  static create(draft: RecordDraft, at: string): RecordChange {
    const status = openingStatus(draft);
    const { manifest } = draft.recordType;
    const performer = draft.performer ?? (status === 'ACTIVE' ? draft.principal : null);
    const after: RecordState = {
      id: draft.id,
      orgId: draft.principal.orgId,
      performerOrgId: performer?.orgId ?? null,
      schema: {
        orgId: draft.recordType.orgId,
        publisher: draft.recordType.publisher,
        type: draft.recordType.type,
        version: draft.recordType.version,
        manifestDigest: draft.recordType.manifestDigest,
      },
      platform: draft.platform,
      platformRef: draft.platformRef,
      gateMode: manifest.gateMode,
      operatingMode: manifest.operatingMode,
      status,
      criteria: draft.criteria,
      criteriaHash: hashJson(draft.criteria),
      message: draft.message,
      counterProposal: null,
      proposalRounds: 0,
      onBehalfOf: draft.onBehalfOf ?? null,
      principalAgentId: draft.principal.agentId,
      performerAgentId: performer?.agentId ?? null,
      parentRecordId: draft.parent?.id ?? null,
      rootRecordId: draft.parent?.rootRecordId ?? draft.id,
      depth: draft.parent ? draft.parent.depth + 1 : 0,
      depthLimit: draft.parent
        ? Math.min(draft.parent.depthLimit ?? Infinity, manifest.maxDelegationDepth)
        : null,
      childCount: 0,
      cascadeRule: manifest.cascade.rule,
      awaiting: openingAwaits(status, draft.creator),
      revisionCount: 0,
      maxRevisions: manifest.maxRevisions,
      latestCompletionId: null,
      completionPending: false,
      latestEvidenceHash: null,
      cancelledBy: null,
      disputed: false,
      openDisputeId: null,
      disputeCount: 0,
      maxDisputes: manifest.maxDisputes,
      disputeWindowSeconds: manifest.disputeWindowSeconds,
      disputeDeadline: null,
      latestSignalId: null,
      verdictWindowSeconds: manifest.verdictWindowSeconds,
      expiresAt: TERMINAL.has(status)
        ? null
        : earlier(draft.expiresAt, draft.parent?.expiresAt ?? null),
      createdAt: at,
      activatedAt: status === 'ACTIVE' ? at : null,
      terminalAt: TERMINAL.has(status) ? at : null,
      updatedAt: at,
      references: [],
      version: 1,
    };
    return {
      row: creationTo(status),
      before: null,
      after,
      sealed: encryptionOf(manifest.operatingMode, draft.criteria),
      told: status === 'PROPOSED' ? { round: 0, awaiting: after.awaiting } : {},
    };
  }

  /** Whether something happens to it by itself now: `now` is the database's. The deadline itself counts as passed. */
  isDue(now: Date): boolean {
    const { status, expiresAt, disputeDeadline } = this.state;
    const deadline = TERMINAL.has(status) ? disputeDeadline : expiresAt;
    return deadline !== null && now.toISOString() >= deadline;
  }

  /**
   * The row that this attempt would take. Refuses in the order of the contract: side, open dispute, state, guards.
   *
   * @param to narrows an action that may lead to several states, as a verdict does.
   */
  rowFor(
    action: Action,
    acting: Acting,
    attempt: Attempt,
    to?: readonly RecordStatus[],
  ): Transition {
    const all = (LIFECYCLE as readonly Transition[]).filter(
      (row) => row.action === action && row.from.length > 0,
    );
    if (!all.some((row) => mayAct(row, acting, this.state)))
      throw wrongSide(action, all, this.state);
    if (this.state.disputed) throw disputedRefusal(this.state);
    const now = transitionsOf(action, this.state.status, conditionOf(this.state)).filter(
      (row) => !to || row.to.some((target) => to.includes(target as RecordStatus)),
    );
    if (now.length === 0) throw wrongState(action, this.state, attempt, to?.[0]);
    const row = now.find((candidate) => mayAct(candidate, acting, this.state));
    if (!row) throw wrongSide(action, now, this.state);
    const refusal = guardRefusal(row, this.state);
    if (refusal) throw refusal;
    return row;
  }

  activate(row: Transition, at: string): RecordChange {
    return this.toActive(row, at, {});
  }

  /** Offers a draft to a performer. */
  propose(row: Transition, performer: Party, at: string): RecordChange {
    if (performer.agentId === this.state.principalAgentId)
      throw guardFailure(
        'not-to-oneself',
        'A record is not proposed to its own principal.',
        this.state,
        'Activate the record to perform it yourself, or name another performer.',
      );
    return this.change(
      row,
      at,
      {
        status: 'PROPOSED',
        awaiting: 'performer',
        performerAgentId: performer.agentId,
        performerOrgId: performer.orgId,
      },
      { sealed: {}, told: { round: 0, awaiting: 'performer' } },
    );
  }

  /** Answers a proposal, or a counter-proposal, with other criteria; the other side is awaited then. */
  counterPropose(
    row: Transition,
    counter: {
      readonly criteria: JsonObject;
      readonly message: string | null;
      readonly by: ActorClaim;
    },
    at: string,
  ): RecordChange {
    const round = this.state.proposalRounds + 1;
    if (round > MAX_ROUNDS)
      throw guardFailure(
        'rounds',
        `A proposal goes back and forth at most ${MAX_ROUNDS} times.`,
        this.state,
        'Accept what is on the table, or reject it.',
      );
    const awaiting = this.state.awaiting === 'principal' ? 'performer' : 'principal';
    const counterProposal = {
      criteria: counter.criteria,
      criteriaHash: hashJson(counter.criteria),
      message: counter.message,
      proposedBy: counter.by,
      proposedAt: at,
    };
    return this.change(
      row,
      at,
      { counterProposal, proposalRounds: round, awaiting },
      {
        sealed: encryptionOf(this.state.operatingMode, counter.criteria),
        told: { round, awaiting, criteriaHash: counterProposal.criteriaHash },
      },
    );
  }

  /** @param criteriaHash what the accepting side believes to be on the table; null: whatever is. */
  accept(row: Transition, criteriaHash: string | null, at: string): RecordChange {
    const { counterProposal, proposalRounds } = this.state;
    const onTable = criteriaHashOnTable(this.state);
    if (criteriaHash !== null && criteriaHash !== onTable) {
      throw new NotaryError(
        'UNPROCESSABLE',
        `The criteria on the table have the hash ${onTable}, not the one you sent.`,
        {
          errors: [{ path: '/criteriaHash', keyword: 'const', message: `is not ${onTable}` }],
          suggestion: 'Read the record again and accept what it says now.',
        },
      );
    }
    const agreed = counterProposal
      ? {
          criteria: counterProposal.criteria,
          criteriaHash: counterProposal.criteriaHash,
          counterProposal: null,
        }
      : {};
    return this.toActive(
      row,
      at,
      { round: proposalRounds, awaiting: 'performer', criteriaHash: onTable },
      agreed,
    );
  }

  reject(row: Transition, reason: string | null, at: string): RecordChange {
    return this.change(
      row,
      at,
      { status: 'REJECTED', awaiting: null, terminalAt: at },
      {
        sealed: reasonOf(reason),
        told: { round: this.state.proposalRounds, awaiting: null, reason },
      },
    );
  }

  cancel(row: Transition, by: Side, reason: string | null, at: string): RecordChange {
    return this.change(
      row,
      at,
      {
        status: 'CANCELLED',
        awaiting: null,
        terminalAt: at,
        completionPending: false,
        cancelledBy: by,
      },
      { sealed: { ...reasonOf(reason), cancelledBy: by }, told: { reason, cancelledBy: by } },
    );
  }

  /** A record above was cancelled with everything below it. */
  cancelWithParent(at: string): RecordChange {
    const [row] = transitionsOf('cancel', this.state.status, conditionOf(this.state));
    if (!row) throw wrongState('cancel', this.state, 'dedicated', 'CANCELLED');
    return this.cancel(row, 'principal', 'parent_cancelled', at);
  }

  expire(row: Transition, at: string): RecordChange {
    return this.change(
      row,
      at,
      { status: 'EXPIRED', awaiting: null, terminalAt: at, completionPending: false },
      { sealed: {}, told: {} },
    );
  }

  /** @param gate the advisory results in principal mode; null in auto mode, where the evaluation follows. */
  submit(
    row: Transition,
    submission: {
      readonly id: Uuid;
      readonly evidence: JsonObject;
      readonly by: ActorClaim;
      readonly position: number;
    },
    gate: GateOutcome | null,
    at: string,
  ): RecordChange {
    const evidenceHash = hashJson(submission.evidence);
    const completion: Completion = {
      id: submission.id,
      recordId: this.state.id,
      revision: this.state.revisionCount + 1,
      evidence: submission.evidence,
      evidenceHash,
      submittedBy: submission.by,
      submittedAt: at,
      gate: gate
        ? { state: gate.state, evaluatedAt: at, results: gate.results }
        : { state: 'PENDING', evaluatedAt: null, results: [] },
      verdict: null,
      entryPosition: submission.position,
    };
    return this.change(
      row,
      at,
      {
        status: 'ACTIVE',
        awaiting: this.state.gateMode === 'auto' ? 'gate' : 'principal',
        latestCompletionId: completion.id,
        latestEvidenceHash: evidenceHash,
        completionPending: true,
        expiresAt: later(this.state.expiresAt, plus(at, this.state.verdictWindowSeconds * 1000)),
      },
      {
        completion,
        sealed: {
          ...(gate ? { gate: gate.claim } : {}),
          ...encryptionOf(this.state.operatingMode, submission.evidence),
        },
        told: {
          completionId: completion.id,
          evidenceHash,
          revision: completion.revision,
          gate: completion.gate.state,
        },
      },
    );
  }

  /**
   * The gates decided, which they do in auto mode alone. Whoever asks has made sure that it is time; children, which
   * hold back `evaluate` by itself, do not hold back the second half of a submission.
   */
  evaluate(completion: Completion, gate: GateOutcome, at: string): RecordChange {
    const status = gate.state === 'PASSED' ? 'FULFILLED' : 'FAILED';
    const row = transitionsOf('evaluate', this.state.status, conditionOf(this.state)).find(
      ({ to }) => to.includes(status),
    );
    if (!row) throw wrongState('evaluate', this.state, 'dedicated', status);
    const refusal = guardRefusal({ ...row, guards: ['mode_not_auto'] }, this.state);
    if (refusal) throw refusal;
    const reason = status === 'FAILED' ? failedGates(gate.results) : null;
    return this.change(
      row,
      at,
      { status, awaiting: null, terminalAt: at, completionPending: false },
      {
        completion: {
          ...completion,
          gate: { state: gate.state, evaluatedAt: at, results: gate.results },
        },
        sealed: { gate: gate.claim },
        told: {
          completionId: completion.id,
          verdict: status === 'FULFILLED' ? 'accept' : 'reject',
          reason,
        },
      },
    );
  }

  renderVerdict(
    row: Transition,
    completion: Completion,
    given: {
      readonly verdict: 'accept' | 'reject';
      readonly reason: string | null;
      readonly by: ActorClaim;
      readonly gateResults?: readonly ClaimedGateResult[];
    },
    at: string,
  ): RecordChange {
    const { gateResults } = given;
    const verdict = {
      verdict: given.verdict,
      reason: given.reason,
      renderedBy: given.by,
      renderedAt: at,
      ...(gateResults ? { gateResults } : {}),
    };
    return this.change(
      row,
      at,
      {
        status: row.to[0] as RecordStatus,
        awaiting: null,
        terminalAt: at,
        completionPending: false,
      },
      {
        completion: { ...completion, verdict },
        sealed: {
          verdict: given.verdict,
          ...reasonOf(given.reason),
          ...(gateResults
            ? { gate: { claimedBy: 'principal' as const, results: gateResults } }
            : {}),
        },
        told: { completionId: completion.id, verdict: given.verdict, reason: given.reason },
      },
    );
  }

  requestRevision(row: Transition, reason: string | null, at: string): RecordChange {
    const { expiresAt, latestCompletionId, revisionCount } = this.state;
    return this.change(
      row,
      at,
      {
        status: 'REVISION_REQUESTED',
        awaiting: 'performer',
        completionPending: false,
        revisionCount: revisionCount + 1,
        expiresAt: expiresAt === null ? null : later(expiresAt, plus(at, DAY_MS)),
      },
      {
        sealed: reasonOf(reason),
        told: { completionId: latestCompletionId, reason, revisionCount: revisionCount + 1 },
      },
    );
  }

  /** @throws UNPROCESSABLE_STATE with reason children_not_terminal. */
  assertChildrenEnded(children: readonly Child[]): void {
    const open = children.filter(({ record }) => !TERMINAL.has(record.status)).length;
    if (open > 0)
      throw guardFailure(
        'children_not_terminal',
        `${open} of the ${children.length} delegated records ${open === 1 ? 'is' : 'are'} still open.`,
        this.state,
        'Wait for the delegated records to end, or cancel with cascade: true.',
      );
  }

  /** @param depthLimit that the operator sets. */
  assertCanDelegate(depthLimit: number, ownLimit: number): void {
    const limit = Math.min(depthLimit, ownLimit, this.state.depthLimit ?? ownLimit);
    if (this.state.depth >= limit)
      throw guardFailure(
        'depth',
        `The delegation tree is at most ${limit} deep below its root, and this record is at depth ${this.state.depth}.`,
        this.state,
        'Do the work in this record, or delegate from a record nearer to the root.',
      );
    if (this.state.childCount >= MAX_CHILDREN)
      throw guardFailure(
        'depth',
        `A record has at most ${MAX_CHILDREN} children.`,
        this.state,
        'Delegate further parts under one of the children.',
      );
  }

  /** As what is delegated under it sees it: what the types above allow bounds everything below. */
  asParent(ownLimit: number): RecordState {
    return { ...this.state, depthLimit: Math.min(this.state.depthLimit ?? ownLimit, ownLimit) };
  }

  delegate(row: Transition, child: Child, at: string): RecordChange {
    const { awaiting, cascadeRule, childCount } = this.state;
    const waits = cascadeRule !== 'none' && !TERMINAL.has(child.record.status);
    const { id, status, depth } = child.record;
    return this.change(
      row,
      at,
      { childCount: childCount + 1, awaiting: waits ? 'children' : awaiting },
      {
        child: child.record,
        sealed: { children: [childClaim(child)] },
        told: { childRecordId: id, depth, childStatus: status },
      },
    );
  }

  /** The children are looked at because somebody asks. */
  verifyCascade(
    row: Transition,
    rule: CascadeRule,
    children: readonly Child[],
    at: string,
  ): RecordChange {
    return this.cascadeVerified(row, at, children, rule);
  }

  /** The last open child ended, or one that had ended was overturned. */
  childrenEnded(rule: CascadeRule, children: readonly Child[], at: string): RecordChange {
    return this.cascadeVerified(CHILDREN_ENDED, at, children, rule);
  }

  private cascadeVerified(
    row: Transition,
    at: string,
    children: readonly Child[],
    rule: CascadeRule,
  ): RecordChange {
    const { awaiting } = this.state;
    const { satisfied, counted, fulfilled } = cascadeResult(rule, children.map(cascadeChild));
    return this.change(
      row,
      at,
      { awaiting: awaiting === 'children' ? 'performer' : awaiting },
      {
        sealed: { children: children.map(childClaim) },
        told: {
          rule: rule.rule,
          satisfied,
          children: children.map(({ record: { id, status } }) => ({ id, status })),
          counted,
          fulfilled,
        },
      },
    );
  }

  /** The window to dispute the outcome went by. */
  released(at: string): RecordState {
    return { ...this.state, disputeDeadline: null, updatedAt: at, version: this.state.version + 1 };
  }

  /** Points at something outside; whoever asks first makes sure that the record has no such reference yet. */
  addReference(
    acting: Acting,
    given: ReferenceTarget & { readonly id: Uuid; readonly by: ActorClaim },
    at: string,
  ): RecordChange {
    if (!mayAct(ADD_REFERENCE, acting, this.state))
      throw wrongSide('add-reference', [ADD_REFERENCE], this.state);
    if (this.state.references.length >= MAX_REFERENCES) {
      throw new NotaryError(
        'UNPROCESSABLE',
        `A record has at most ${MAX_REFERENCES} references; this one is full.`,
        {
          errors: [
            {
              path: '',
              keyword: 'maxItems',
              message: `the record has ${MAX_REFERENCES} references`,
            },
          ],
          suggestion: 'Put the further references behind one of those that are there.',
        },
      );
    }
    const { id, kind, uri, digest, label } = given;
    const reference: Reference = {
      id,
      recordId: this.state.id,
      kind,
      uri,
      digest,
      label,
      addedBy: given.by,
      addedAt: at,
    };
    return this.change(
      ADD_REFERENCE,
      at,
      { references: [...this.state.references, reference] },
      {
        reference,
        sealed: { reference: { id, kind, uri, digest, label } },
        told: { reference: { kind, uri, digest } },
      },
    );
  }

  /** A verdict is on the completion that is there, never on one that a newer one replaced. */
  assertLatest(completionId: Uuid): void {
    if (completionId !== this.state.latestCompletionId) {
      throw new NotaryError(
        'UNPROCESSABLE',
        'The completionId is not the latest completion of this record.',
        {
          errors: [
            {
              path: '/completionId',
              keyword: 'latest',
              message: `the latest completion is ${this.state.latestCompletionId ?? 'none'}`,
            },
          ],
          suggestion: 'Read the latest completion, then judge that one.',
        },
      );
    }
  }

  private toActive(
    row: Transition,
    at: string,
    told: JsonObject,
    agreed: Partial<RecordState> = {},
  ): RecordChange {
    const { principalAgentId, performerAgentId, orgId, performerOrgId } = this.state;
    const performer = performerAgentId
      ? { performerAgentId, performerOrgId }
      : { performerAgentId: principalAgentId, performerOrgId: orgId };
    return this.change(
      row,
      at,
      { ...agreed, ...performer, status: 'ACTIVE', awaiting: 'performer', activatedAt: at },
      { sealed: {}, told },
    );
  }

  private change(
    row: Transition,
    at: string,
    next: Partial<RecordState>,
    rest: Pick<RecordChange, 'completion' | 'reference' | 'child' | 'dispute' | 'sealed' | 'told'>,
  ): RecordChange {
    return {
      row,
      before: this.state,
      after: { ...this.state, ...next, updatedAt: at, version: this.state.version + 1 },
      ...rest,
    };
  }
}

/** What the gates said: the decision, the results to keep and the claim to seal. */
export interface GateOutcome {
  readonly state: GateState;
  readonly results: readonly GateResult[];
  readonly claim: GateClaim;
}

const openingStatus = (draft: RecordDraft): RecordStatus => {
  if (isNotarizeOnly(draft.recordType.manifest)) return 'RECORDED';
  if (draft.autoActivate) return 'ACTIVE';
  return draft.performer && draft.performer.agentId !== draft.principal.agentId
    ? 'PROPOSED'
    : 'CREATED';
};

const openingAwaits = (status: RecordStatus, creator: Side): Awaiting => {
  switch (status) {
    case 'CREATED':
      return 'principal';
    case 'PROPOSED':
      return creator === 'principal' ? 'performer' : 'principal';
    case 'ACTIVE':
      return 'performer';
    default:
      return null;
  }
};

const reasonOf = (reason: string | null): { reason?: string } =>
  reason === null ? {} : { reason };
const plus = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b);
const earlier = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;
const failedGates = (results: readonly GateResult[]): string =>
  `failed gates: ${results
    .filter((result) => result.severity === 'block' && result.outcome !== 'pass')
    .map((result) => result.gateId)
    .join(', ')}`;
