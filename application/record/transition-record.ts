import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AgentStore } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { holdsScope, scopesFor } from '../../domain/record/action-scope.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import { wrongState, type Attempt } from '../../domain/record/refusal.ts';
import type { RecordState, Side } from '../../domain/record/record-state.ts';
import type { ActorClaim } from '../../domain/vault/statement.ts';
import type { ActOnRecord, Decided, Held } from './act-on-record.ts';
import type { CancelSubtree } from './cancel-subtree.ts';
import type { Children } from './children.ts';
import type { ContentCheck } from './content-check.ts';
import type { EvaluatePending } from './evaluate-pending.ts';
import type { FindRecord } from './find-record.ts';
import type { LoadManifest } from './load-manifest.ts';
import { assertActive, type NameParties } from './name-parties.ts';
import type { PresentRecord } from './present-record.ts';
import { assertParameters, type TransitionParameters } from './transition-parameters.ts';
import type { RecordResult } from './results.ts';

export interface TransitionInput {
  readonly recordId: Uuid;
  readonly action: string;
  readonly parameters: TransitionParameters;
  /** `dedicated`: one of the action paths. */
  readonly path: 'transition' | 'dedicated';
  readonly ifVersions?: readonly number[];
}

/** `judged`: the refusal that new criteria meet, found before any lock was taken. */
type Move = (
  held: Held,
  input: TransitionInput,
  attempt: Attempt,
  context: CallContext,
  judged: NotaryError | null,
) => Promise<Decided>;

/** Every action on a record but creation, completion, verdict and dispute. */
export class TransitionRecord {
  /** The actions that this use case carries out; a Map, because the name comes from outside. */
  private readonly moves = new Map<string, Move>([
    ['propose', (held, input, attempt) => this.propose(held, input, attempt)],
    ['activate', (held, _input, attempt) => this.activate(held, attempt)],
    ['accept', (held, input, attempt) => this.accept(held, input, attempt)],
    ['accept-counter', (held, input, attempt) => this.accept(held, input, attempt)],
    [
      'counter-propose',
      (held, input, attempt, context, judged) =>
        this.counterPropose(held, input, attempt, actorOf(context.caller), judged),
    ],
    [
      'reject',
      async ({ record, acting, chain }, { parameters }, attempt) =>
        record.reject(
          record.rowFor('reject', acting, attempt),
          parameters.reason ?? null,
          chain.at,
        ),
    ],
    ['cancel', (held, input, attempt, context) => this.cancel(held, input, attempt, context)],
    [
      'revision',
      async ({ record, acting, chain }, { parameters }, attempt) =>
        record.requestRevision(
          record.rowFor('revision', acting, attempt),
          parameters.reason ?? null,
          chain.at,
        ),
    ],
    [
      'evaluate',
      async (held, _input, attempt) =>
        this.evaluatePending.asked(
          held,
          attempt,
          (await this.loadManifest.execute(held.record.state)).manifest,
        ),
    ],
    ['verify-cascade', (held, _input, attempt) => this.verifyCascade(held, attempt)],
  ]);

  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnRecord: ActOnRecord,
    private readonly loadManifest: LoadManifest,
    private readonly evaluatePending: EvaluatePending,
    private readonly children: Children,
    private readonly cancelSubtree: CancelSubtree,
    private readonly nameParties: NameParties,
    private readonly contentCheck: ContentCheck,
    private readonly present: PresentRecord,
  ) {}

  async execute(context: CallContext, input: TransitionInput): Promise<RecordResult> {
    assertScope(context, input.action, EITHER_SIDE);
    assertParameters(input.action, input.parameters);
    const attempt: Attempt = input.path === 'transition' ? 'transition' : 'action-path';
    const move = this.moves.get(input.action);
    if (!move)
      throw wrongState(
        input.action,
        await this.findRecord.find(context, input.recordId),
        'transition',
      );
    const judged = input.action === 'counter-propose' ? await this.judge(context, input) : null;
    return this.actOnRecord
      .execute(
        context,
        input.recordId,
        input.ifVersions,
        (held) => {
          if (held.acting !== 'system') assertScope(context, input.action, held.acting.sides);
          return move(held, input, attempt, context, judged);
        },
        ({ change, entry }) => ({
          ...this.present.record(change.after, entry, context.caller),
          ...(change.descendants === undefined
            ? {}
            : { cascade: { cancelled: change.descendants } }),
        }),
      )
      .catch((error: unknown) => {
        throw attempt === 'action-path' ? asInvalidTransition(error) : error;
      });
  }

  /** New criteria against a schema that may be large: no lock is held for that. */
  private async judge(
    context: CallContext,
    { recordId, parameters }: TransitionInput,
  ): Promise<NotaryError | null> {
    const seen = await this.findRecord.find(context, recordId);
    return this.contentCheck.criteria(
      await this.loadManifest.execute(seen),
      parameters.criteria as JsonObject,
      seen,
    );
  }

  private async activate(
    { stores, record, acting, chain }: Held,
    attempt: Attempt,
  ): Promise<RecordChange> {
    const row = record.rowFor('activate', acting, attempt);
    await assertPartiesActive(stores.agents, record.state);
    return record.activate(row, chain.at);
  }

  private async propose(
    { stores, record, acting, chain }: Held,
    { parameters }: TransitionInput,
    attempt: Attempt,
  ): Promise<RecordChange> {
    const row = record.rowFor('propose', acting, attempt);
    const recordType = await this.loadManifest.execute(record.state);
    await assertPartiesActive(stores.agents, record.state);
    const performer = await this.nameParties.performerFor(
      record.state,
      parameters.performerAgentId as Uuid,
      recordType,
    );
    const refusal = await this.contentCheck.offer(recordType, record.state.criteria, {
      principalAgentId: record.state.principalAgentId,
      performerAgentId: performer.agentId,
    });
    const change = record.propose(row, performer, chain.at);
    if (refusal) throw refusal;
    return change;
  }

  private async counterPropose(
    { record, acting, chain }: Held,
    { parameters }: TransitionInput,
    attempt: Attempt,
    by: ActorClaim,
    judged: NotaryError | null,
  ): Promise<RecordChange> {
    const row = record.rowFor('counter-propose', acting, attempt);
    const criteria = parameters.criteria as JsonObject;
    const refusal =
      judged ??
      (await this.contentCheck.readers(
        await this.loadManifest.execute(record.state),
        criteria,
        record.state,
      ));
    const change = record.counterPropose(
      row,
      { criteria, message: parameters.message ?? null, by },
      chain.at,
    );
    if (refusal) throw refusal;
    return change;
  }

  /** Children that are open speak against it, unless they are taken along. */
  private async cancel(
    { stores, record, acting, chain, now }: Held,
    { parameters }: TransitionInput,
    attempt: Attempt,
    context: CallContext,
  ): Promise<RecordChange> {
    const change = record.cancel(
      record.rowFor('cancel', acting, attempt),
      cancellingSide(acting, record.state),
      parameters.reason ?? null,
      chain.at,
    );
    // Asked of the chain, also where the row counts none.
    const children = await this.children.of(stores, record.state, chain);
    if (parameters.cascade)
      return {
        ...change,
        descendants: await this.cancelSubtree.below(stores, context, record.state, now),
      };
    record.assertChildrenEnded(children);
    return change;
  }

  /** In auto mode a completion that waited for its gates is decided with it. */
  private async verifyCascade(
    { stores, record, acting, chain }: Held,
    attempt: Attempt,
  ): Promise<Decided> {
    const row = record.rowFor('verify-cascade', acting, attempt);
    const { manifest } = await this.loadManifest.execute(record.state);
    const children = await this.children.of(stores, record.state, chain);
    record.assertChildrenEnded(children);
    const verified = record.verifyCascade(row, manifest.cascade, children, chain.at);
    if (manifest.gateMode !== 'auto' || !record.state.completionPending) return verified;
    return [
      verified,
      await this.evaluatePending.outcome(
        stores,
        new NotaryRecord(verified.after),
        children,
        manifest,
        chain,
      ),
    ];
  }

  /** Of the proposal, or of the counter-proposal that took its place. */
  private async accept(
    { stores, record, acting, chain }: Held,
    { action, parameters }: TransitionInput,
    attempt: Attempt,
  ): Promise<RecordChange> {
    const row = record.rowFor(
      action === 'accept-counter' ? 'accept-counter' : 'accept',
      acting,
      attempt,
    );
    await assertPartiesActive(stores.agents, record.state);
    return record.accept(row, parameters.criteriaHash ?? null, chain.at);
  }
}

/** On the action paths every refusal for the state is of that one type, whether the state or a guard refuses. */
const asInvalidTransition = (error: unknown): unknown =>
  error instanceof NotaryError && error.code === 'UNPROCESSABLE_STATE'
    ? new NotaryError('INVALID_TRANSITION', error.message, error.members, { cause: error })
    : error;

/** Consent holds only among agents that can still act. */
const assertPartiesActive = async (
  agents: AgentStore,
  record: { readonly principalAgentId: Uuid; readonly performerAgentId: Uuid | null },
): Promise<void> => {
  for (const [member, agentId] of [
    ['principalAgentId', record.principalAgentId],
    ['performerAgentId', record.performerAgentId],
  ] as const) {
    const agent = agentId === null ? null : await agents.find(agentId);
    if (agent) assertActive(agent, member);
  }
};

/** Who may cancel was decided by the table; this only says on which side they stood. */
const cancellingSide = (acting: Held['acting'], { status, awaiting }: RecordState): Side => {
  const proposer = status === 'PROPOSED' && awaiting === 'principal' ? 'performer' : 'principal';
  if (acting === 'system' || acting.sides.size === 2) return proposer;
  return acting.sides.has('principal') ? 'principal' : 'performer';
};

const EITHER_SIDE: ReadonlySet<Side> = new Set<Side>(['principal', 'performer']);

/** The performer consents with completions:write alone; everything else takes records:write. */
const assertScope = ({ caller }: CallContext, action: string, sides: ReadonlySet<Side>): void => {
  if (holdsScope(caller, action, sides)) return;
  const scopes = scopesFor(action, sides);
  throw new NotaryError(
    'INSUFFICIENT_SCOPE',
    `The action ${action} takes the scope ${scopes.join(' or ')}.`,
    { missingScopes: [scopes[0] as string] },
  );
};
