import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { isMirror } from '../../domain/record/federated-record.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AgentStore } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Action } from '../../domain/record/actions.ts';
import { holdsScope, scopesFor } from '../../domain/record/action-scope.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import { allowedActions, wrongState } from '../../domain/record/refusal.ts';
import { stepFor } from '../../domain/record/guidance.ts';
import type { RecordState, Side } from '../../domain/record/record-state.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ActorClaim } from '../../domain/vault/statement.ts';
import { hasRoomToTell, stepDue } from '../sharing/room-to-tell.ts';
import type { ActOnRecord, Decided } from './act-on-record.ts';
import type { LockedRecord } from './locked-record.ts';
import type { CancelSubtree } from './cancel-subtree.ts';
import type { Children } from './children.ts';
import type { ContentCheck } from './content-check.ts';
import type { EvaluatePending } from './evaluate-pending.ts';
import type { FindRecord } from './find-record.ts';
import { operationOf, stepOf } from './guidance-view.ts';
import type { LoadRecordType } from './load-record-type.ts';
import { assertActiveParty, type NameParties } from './name-parties.ts';
import type { PresentRecord } from './present-record.ts';
import { assertParameters, type TransitionParameters } from './transition-parameters.ts';
import type { RecordResult } from './results.ts';

/** @param judged the refusal that new criteria meet, found before any lock was taken. */
type Move = (
  held: LockedRecord,
  asked: AskedTransition,
  context: CallContext,
  judged: NotaryError | null,
) => Promise<Decided | AlreadyDone>;

/** Nothing is left to do: the entry that says so is the answer. */
interface AlreadyDone {
  readonly already: ChainEntry;
}

export interface AskedTransition extends TransitionParameters {
  readonly recordId: Uuid;
  readonly action: string;
}

/** Every action on a record but creation, completion, verdict and dispute. */
export class TransitionRecord {
  /** The actions that this use case carries out. It is a Map because the name comes from outside. */
  private readonly moves = new Map<string, Move>([
    ['propose', (held, asked) => this.propose(held, asked)],
    ['activate', (held) => this.activate(held)],
    ['accept', (held, asked) => this.accept(held, asked)],
    ['accept-counter', (held, asked) => this.accept(held, asked)],
    [
      'counter-propose',
      (held, asked, { caller }, judged) =>
        this.counterPropose(held, asked, actorOf(caller), judged),
    ],
    [
      'reject',
      async ({ record, acting, chain }, { reason = null }) =>
        record.reject(record.transitionFor('reject', acting), reason, chain.at),
    ],
    ['cancel', (held, asked, context) => this.cancel(held, asked, context)],
    [
      'revision',
      async ({ record, acting, chain }, { reason = null }) =>
        record.requestRevision(record.transitionFor('revision', acting), reason, chain.at),
    ],
    ['evaluate', (held) => this.evaluatePending.asked(held)],
    ['verify-cascade', (held) => this.verifyCascade(held)],
  ]);

  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnRecord: ActOnRecord,
    private readonly loadRecordType: LoadRecordType,
    private readonly evaluatePending: EvaluatePending,
    private readonly children: Children,
    private readonly cancelSubtree: CancelSubtree,
    private readonly nameParties: NameParties,
    private readonly contentCheck: ContentCheck,
    private readonly present: PresentRecord,
  ) {}

  async execute(
    context: CallContext,
    { recordId, action, ...parameters }: AskedTransition,
  ): Promise<RecordResult> {
    assertParameters(action, parameters);
    const asked = { recordId, action, ...parameters };
    const move = this.moves.get(action);
    if (!move) return this.refuse(context, recordId, action);
    const judged = action === 'counter-propose' ? await this.judge(context, asked) : null;
    return this.actOnRecord.unlessDone<RecordResult>(
      context,
      recordId,
      async (held) => {
        if (held.acting !== 'system') assertScope(context, action, held.acting.sides);
        const decided = await move(held, asked, context, judged);
        return 'already' in decided
          ? { done: this.present.record(held.record.state, decided.already, context.caller) }
          : decided;
      },
      ({ change, entry }) => ({
        ...this.present.record(change.after, entry, context.caller),
        ...(change.descendants === undefined ? {} : { cascade: { cancelled: change.descendants } }),
      }),
    );
  }

  /** What this use case does not carry out: it is unknown, or has an operation of its own. */
  private refuse(context: CallContext, recordId: Uuid, action: string): Promise<never> {
    return this.actOnRecord.byCaller<never>(
      context,
      recordId,
      async ({ record: { state } }) => {
        const own = operationOf(action);
        const named = allowedActions(state).find((allowed) => allowed === action);
        throw own && named ? elsewhere(named, own, state) : wrongState(action, state);
      },
      () => {
        throw new TypeError('nothing was decided');
      },
    );
  }

  /** Checks new criteria without a lock, because the schema may be large. */
  private async judge(context: CallContext, asked: AskedTransition): Promise<NotaryError | null> {
    const seen = await this.findRecord.find(context, asked.recordId);
    return this.contentCheck.criteria(
      context.caller,
      await this.loadRecordType.load(seen),
      asked.criteria as JsonObject,
      seen,
    );
  }

  private async activate({
    stores,
    record,
    recordType,
    acting,
    chain,
  }: LockedRecord): Promise<RecordChange> {
    const transition = record.transitionFor('activate', acting);
    await assertPartiesActive(stores.agents, record.state);
    await this.nameParties.assertMayPerform(record.state, recordType);
    return record.activate(transition, chain.at);
  }

  private async propose(
    { stores, record, recordType, acting, chain }: LockedRecord,
    asked: AskedTransition,
  ): Promise<RecordChange> {
    const transition = record.transitionFor('propose', acting);
    await assertPartiesActive(stores.agents, record.state);
    const performer = await this.nameParties.performerFor(
      record.state,
      asked.performerAgentId as Uuid,
      recordType,
    );
    const refusal = await this.contentCheck.offer(recordType, record.state.criteria, {
      principalAgentId: record.state.principalAgentId,
      performerAgentId: performer.agentId,
    });
    const change = record.propose(transition, performer, chain.at);
    if (refusal) throw refusal;
    return change;
  }

  private async counterPropose(
    { record, recordType, acting, chain }: LockedRecord,
    asked: AskedTransition,
    by: ActorClaim,
    judged: NotaryError | null,
  ): Promise<RecordChange> {
    const transition = record.transitionFor('counter-propose', acting);
    const criteria = asked.criteria as JsonObject;
    const refusal = judged ?? (await this.contentCheck.readers(recordType, criteria, record.state));
    const change = record.counterPropose(
      transition,
      { criteria, message: asked.message ?? null, by },
      chain.at,
    );
    if (refusal) throw refusal;
    return change;
  }

  /** A record with open children cannot be cancelled, unless `cascade` cancels them too. */
  private async cancel(
    held: LockedRecord,
    asked: AskedTransition,
    context: CallContext,
  ): Promise<RecordChange> {
    const { stores, record, acting, chain, now } = held;
    if (!asked.cascade) await this.children.assertNoneDue(held);
    const change = record.cancel(
      record.transitionFor('cancel', acting),
      cancellingSide(acting, record.state),
      asked.reason ?? null,
      chain.at,
    );
    // The chain is asked even if the row counts no children.
    const children = await this.children.of(stores, record.state, chain);
    if (asked.cascade)
      return {
        ...change,
        descendants: await this.cancelSubtree.below(stores, context, record.state, now, chain.at),
      };
    record.assertChildrenEnded(children);
    return change;
  }

  /**
   * In auto mode, this also decides a completion that waited for its gates. Where nothing waits and nothing is new of
   * the children, nothing is written, so that no party can make a chain grow for ever.
   */
  private async verifyCascade(held: LockedRecord): Promise<Decided | AlreadyDone> {
    const { stores, record, acting, chain } = held;
    const { manifest } = held.recordType;
    await this.children.assertNoneDue(held);
    const transition = record.transitionFor('verify-cascade', acting);
    const children = await this.children.of(stores, record.state, chain);
    record.assertChildrenEnded(children);
    const decides =
      manifest.gateMode === 'auto' && record.state.completionPending && !isMirror(record.state);
    const already = decides ? null : await this.children.verifiedSo(stores, chain, children);
    if (already) return { already };
    if (!(await hasRoomToTell(stores, record.state, chain.head?.position ?? 0))) throw stepDue();
    const verified = record.verifyCascade(transition, manifest.cascade, children, chain.at);
    if (!decides) return verified;
    return [
      verified,
      await this.evaluatePending.outcome(
        { ...held, record: new NotaryRecord(verified.after) },
        children,
      ),
    ];
  }

  /** Accepts the proposal, or the counter-proposal that took its place. */
  private async accept(
    { stores, record, acting, chain }: LockedRecord,
    asked: AskedTransition,
  ): Promise<RecordChange> {
    const transition = record.transitionFor(
      asked.action === 'accept-counter' ? 'accept-counter' : 'accept',
      acting,
    );
    await assertPartiesActive(stores.agents, record.state);
    return record.accept(transition, asked.criteriaHash ?? null, chain.at);
  }
}

/** The state allows the action, and another operation carries it out. */
const elsewhere = (action: Action, operation: string, record: RecordState): NotaryError => {
  const { code, members } = wrongState(action, record);
  return new NotaryError(
    code,
    `The action ${action} has a request of its own, which nextSteps names.`,
    {
      ...members,
      allowedActions: (members.allowedActions ?? []).filter((allowed) => allowed !== action),
      suggestion: `Take the step in nextSteps${operation === 'createRecord' ? ', with this record as parentRecordId' : ''}.`,
      nextSteps: [stepOf(stepFor(action, record), operation, record.id)],
    },
  );
};

/** Consent counts only among agents that can still act. */
const assertPartiesActive = async (
  agents: AgentStore,
  record: { readonly principalAgentId: Uuid; readonly performerAgentId: Uuid | null },
): Promise<void> => {
  const parties = [
    ['principalAgentId', record.principalAgentId],
    ['performerAgentId', record.performerAgentId],
  ] as const;
  const found = await agents.findAll([...new Set(parties.flatMap(([, agentId]) => agentId ?? []))]);
  for (const [member, agentId] of parties) {
    const agent = found.find(({ id }) => id === agentId);
    if (agent) assertActiveParty(agent, member);
  }
};

/** The lifecycle table has decided who may cancel; this only says on which side they stood. */
const cancellingSide = (
  acting: LockedRecord['acting'],
  { status, awaiting }: RecordState,
): Side => {
  const proposer = status === 'PROPOSED' && awaiting === 'principal' ? 'performer' : 'principal';
  if (acting === 'system' || acting.sides.size === 2) return proposer;
  return acting.sides.has('principal') ? 'principal' : 'performer';
};

/** The performer can consent with completions:write; every other action takes records:write. */
const assertScope = ({ caller }: CallContext, action: string, sides: ReadonlySet<Side>): void => {
  if (holdsScope(caller, action, sides)) return;
  const scopes = scopesFor(action, sides);
  throw new NotaryError(
    'INSUFFICIENT_SCOPE',
    `The action ${action} takes the scope ${scopes.join(' or ')}.`,
    { missingScopes: [scopes[0] as string] },
  );
};
