import type { TObject } from 'typebox';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Attempt, Attested, CallAttester } from './attested.ts';
import { assertAccess, isGovernance, type Access, type CredentialAccess } from './access.ts';
import type { Budget, Budgets } from './budgets.ts';
import type { Admission, AnswerMeter, Asked, Call } from './call.port.ts';
import type { CallContext, IdempotencyClaim, PublicContext } from './call-context.ts';
import { itemOf, NOTHING_PROVEN, publicContext } from './proven-context.ts';
import { CallGuide, type Operations } from './call-guide.ts';
import type { CallsUnderWay } from './calls-under-way.ts';
import type { Credentials } from './credentials.ts';
import type { Cursors } from './cursors.ts';
import {
  assertIdempotencyKey,
  type IdempotentCalls,
  type CallOutcome,
} from './idempotent-calls.ts';
import type { InputCheck } from './input-check.port.ts';
import { inputReader, type Binding, type Members, type ReadInput } from './input-form.ts';
import { liveView } from './live-view.ts';
import type { FindUseCase, Operation, Shown, Target, UseCase } from './operation.ts';
import { openStream, type OpenStream } from './open-stream.ts';
import type { Proofs } from './proofs.ts';
import type { Eventually } from '../ports/rate-limiter.port.ts';
import { SharedLooks } from './shared-looks.ts';
import type { SlotPool } from './slots.ts';
import { isLogged, type ReadLog } from './read-log.ts';
import { sliceOf } from './slice-of.ts';

export interface GatewayParts {
  readonly credentials: Pick<Credentials, 'open' | 'tellRefused'>;
  readonly budgets: Budgets;
  readonly attest: CallAttester;
  readonly inputs: InputCheck;
  readonly idempotentCalls: IdempotentCalls;
  readonly cursors: Cursors;
  readonly operations: Operations;
  readonly readLog: Pick<ReadLog, 'enter'>;
  readonly underWay: Pick<CallsUnderWay, 'during'>;
  readonly useCaseOf: FindUseCase;
}

/** A binding, made ready at the start: its schemas compiled, its use case at hand. */
export interface BoundOperation {
  readonly operation: Operation;
  /** As far as it is certain before the input is read. */
  readonly access: Access;
  /** What a call counts in before the input is read. A bulk that is refused makes nothing, so it is no creation yet. */
  readonly budget: Budget;
  readonly read: ReadInput;
  readonly useCase: UseCase;
}

/**
 * One call from its credential to its outcome, the same for every front-end. Refusals come in one order: 401, 429,
 * role and scope 403; then, with the input, 401 of a proof, 400, 403 of this very action, 429 of further items; and
 * after them whatever the use case refuses.
 */
export class CallGateway {
  /** For how many calls an input counts of which more arrived than was announced. */
  private readonly arrived = new WeakMap<Admission, number>();

  private readonly looks: SharedLooks;

  constructor(private readonly parts: GatewayParts) {
    this.looks = new SharedLooks(parts.credentials);
  }

  bind<I extends TObject>(binding: Binding<I>): BoundOperation {
    const { operation, fixed = {} } = binding;
    return {
      operation,
      access: operation.access(fixed),
      budget: operation.cost ? 'default' : operation.budget,
      read: inputReader(binding, this.parts.inputs),
      useCase: this.parts.useCaseOf(operation.useCase),
    };
  }

  /** 401 and 429, before a byte of the input is read. */
  async admit(call: Call, access: Access, budget: Budget): Promise<Admission> {
    const { credentials, budgets } = this.parts;
    const charge = { cost: 1, forSize: budgets.callsOf(call.announcedBytes) - 1 };
    if (access === 'public') {
      await budgets.chargeAddress(call.address, budget, charge, call.allow);
      return { call, caller: null };
    }
    const caller = await credentials.open(call);
    await budgets.charge(caller, budget, charge, call.allow);
    return { call, caller };
  }

  /** 429, where more of the input arrived than was announced. A front-end says so before it reads what is in it. */
  chargeArrived(admission: Admission, bytes: number): Eventually<void> {
    const { budgets } = this.parts;
    const { call, caller } = admission;
    const [announced, arrived] = [budgets.callsOf(call.announcedBytes), budgets.callsOf(bytes)];
    if (arrived <= announced) return;
    this.arrived.set(admission, arrived);
    const before = { cost: 1, forSize: announced - 1 };
    const charge = { cost: 1, forSize: arrived - 1, before };
    return caller
      ? budgets.charge(caller, 'default', charge, call.allow)
      : budgets.chargeAddress(call.address, 'default', charge, call.allow);
  }

  /** 429. One more call on the same admission, such as a member of a batch or a message of a stream. */
  chargeNext({ call, caller }: Admission, { budget }: Pick<Operation, 'budget'>): Eventually<void> {
    if (caller) return this.parts.budgets.charge(caller, budget, { cost: 1 }, call.allow);
  }

  /** 429, if the request says that its answer takes as much work as several calls. */
  chargeWork({ call, caller }: Admission, budget: Budget, calls: number): Eventually<void> {
    if (calls <= 1) return;
    const { budgets } = this.parts;
    const charge = { cost: 1, forSize: calls - 1, before: { cost: 1 } };
    return caller
      ? budgets.charge(caller, budget, charge, call.allow)
      : budgets.chargeAddress(call.address, budget, charge, call.allow);
  }

  /**
   * Counts an answer, whole or part by part, once it is larger than the input that was counted. Calls without a credential
   * are not charged for their answers.
   */
  meterAnswer(admission: Admission): AnswerMeter {
    const { budgets } = this.parts;
    const { call, caller } = admission;
    let sent = 0;
    let charged = this.callsOfInput(admission);
    return (bytes) => {
      sent += bytes;
      const calls = budgets.callsOfAnswer(sent) - charged;
      if (calls <= 0 || !caller) return;
      charged += calls;
      return budgets.chargeAnswer(caller, calls, call.allow);
    };
  }

  private callsOfInput(admission: Admission): number {
    return this.arrived.get(admission) ?? this.parts.budgets.callsOf(admission.call.announcedBytes);
  }

  /** 429. A stream that goes on holds a slot of its key, and ends with its credential. */
  openStream(admission: Admission, access: CredentialAccess): OpenStream {
    return openStream(admission, access, { looks: this.looks, budgets: this.parts.budgets });
  }

  /** 403. Whoever knows the operation asks before reading the input; `perform` asks in any case. */
  permit({ caller }: Admission, access: Access): void {
    assertAccess(access, caller);
  }

  /** 429, where the input says what is called: what that counts in beside the windows of any call. */
  chargeKnown(
    { call, caller }: Admission,
    { budget, cost }: Pick<Operation, 'budget' | 'cost'>,
  ): Eventually<void> {
    // How many a bulk makes is known once its input is read.
    if (budget !== 'records-create' || cost || !caller) return;
    const once = { cost: 1 };
    return this.parts.budgets.charge(
      caller,
      budget,
      { ...once, before: once, isNowCreation: true },
      call.allow,
    );
  }

  /** 401 of what the caller of a document proves beside its credential: a signature that is given must hold. */
  async prove({ caller }: Admission, proofs: Proofs | null): Promise<void> {
    // Documents describe the service, and nothing that agents do.
    const attempt = { effect: 'read', governs: true, target: () => null } as const;
    if (caller) await this.attest(caller, proofs, attempt);
  }

  perform(admission: Admission, bound: BoundOperation, asked: Asked): Promise<CallOutcome> {
    admission.call.span?.note({ 'notary.operation': bound.operation.id });
    return this.parts.underWay.during(() => this.outcomeOf(admission, bound, asked));
  }

  private async outcomeOf(
    admission: Admission,
    bound: BoundOperation,
    asked: Asked,
  ): Promise<CallOutcome> {
    const { call, caller } = admission;
    const { operation } = bound;
    const { cursors, operations, idempotentCalls, readLog } = this.parts;
    this.permit(admission, bound.access);
    const context = await this.contextOf(admission, bound, asked);
    // What comes item by item is read again, and not kept.
    const key = caller && !operation.isStreamed && !operation.pool ? asked.key() : undefined;
    if (key === undefined) asked.assertMayBeNew?.();
    else assertIdempotencyKey(key);
    const expected = operation.isVersioned ? { expectedVersions: asked.expectedVersions() } : {};
    const heard = asked.input();
    const input = bound.read(heard instanceof Promise ? await heard : heard);
    this.permit(admission, operation.access(input));
    await this.chargeItems(admission, operation, input);
    const page = operation.isPaged
      ? sliceOf(operation, input, caller, cursors)
      : { input, binding: '' };
    const guide = new CallGuide(call.requestId, caller, operations, cursors, page.binding);
    const show = (result: unknown): Shown => operation.view(result, guide);
    if (operation.isLive && caller) {
      const entered = { call, caller, operation, input };
      const attempt = {
        effect: operation.effect,
        governs: isGovernance(operation.id, bound.access),
        target: () => null,
        span: call.span ?? null,
      };
      const showPage = async (page: unknown): Promise<unknown> => {
        // What is demanded of each read may have been decided since the first.
        await this.attest(caller, null, attempt);
        if (isLogged(caller, operation)) await readLog.enter({ ...entered, result: page });
        return show(page).view;
      };
      const live = { context, input: page.input, left: asked.signal?.(), show: showPage };
      return this.live(admission, bound, live);
    }
    const run = async (claim?: IdempotencyClaim): Promise<unknown> => {
      const result = await bound.useCase.execute(
        { ...context, ...expected, ...(claim ? { idempotency: claim } : {}) },
        page.input,
      );
      if (caller && isLogged(caller, operation))
        await readLog.enter({ call, caller, operation, input, result });
      return result;
    };
    if (operation.pool && caller)
      return this.hold(caller, operation.pool, async () => show(await run()));
    if (!caller) return { shown: show(await this.anonymous(call, run)), isReplay: false };
    if (key === undefined) return { shown: show(await run()), isReplay: false };
    const { requestId, span = null } = call;
    const assertMayBeNew = asked.assertMayBeNew;
    const keyed = { key, caller, operation, input, requestId, span, assertMayBeNew };
    return idempotentCalls.run(keyed, run, show);
  }

  /** 429, where as many streams as may are open. It lasts until nobody pulls, or the credential ends. */
  private async live(
    admission: Admission,
    { useCase, access }: BoundOperation,
    { context, input, left, show }: Live,
  ): Promise<CallOutcome> {
    const stream = this.openStream(admission, access as CredentialAccess);
    const signal = left ? AbortSignal.any([left, stream.signal]) : stream.signal;
    try {
      const pages = (await useCase.execute(
        { ...context, signal } as CallContext,
        input,
      )) as AsyncIterable<unknown>;
      return { shown: { view: liveView(pages, stream, show) }, isReplay: false, end: stream.close };
    } catch (error) {
      stream.close();
      throw error;
    }
  }

  /** A public operation may refuse a credential as well, such as the token that it is to exchange. */
  private async anonymous<T>(call: Call, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      this.parts.credentials.tellRefused(error, call);
      throw error;
    }
  }

  /** 429, where as many as may run at once are under way. */
  private async hold(
    caller: Caller,
    pool: SlotPool,
    run: () => Promise<Shown>,
  ): Promise<CallOutcome> {
    const end = this.parts.budgets.occupy(caller, pool);
    try {
      return { shown: await run(), isReplay: false, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** 401 of what the caller proves beside its credential. */
  private async contextOf(
    { call, caller }: Admission,
    bound: BoundOperation,
    asked: Asked,
  ): Promise<CallContext | PublicContext> {
    const { operation } = bound;
    const proofs = asked.proofs();
    if (!caller) return publicContext(call, proofs);
    const target = (): Target | null => operation.target?.(asked.known()) ?? null;
    const governs = isGovernance(operation.id, bound.access);
    const attempt = { effect: operation.effect, governs, target, span: call.span ?? null };
    const attested = await this.attest(caller, proofs, attempt);
    const { requestId, span } = call;
    return { requestId, caller, ...(span ? { span } : {}), ...itemOf(attested, asked.item?.()) };
  }

  /** A call that nobody can demand anything of, and that proves nothing, does not wait. */
  private attest(
    caller: Caller,
    proofs: Proofs | null,
    attempt: Attempt,
  ): Promise<Attested> | Attested {
    if (!proofs && !caller.cert && caller.orgId === null) return NOTHING_PROVEN;
    return this.parts.attest.attest(caller, proofs, attempt);
  }

  private chargeItems(
    admission: Admission,
    operation: Operation,
    input: Members,
  ): Eventually<void> {
    const { call, caller } = admission;
    if (!operation.cost || !caller) return;
    const { budgets } = this.parts;
    const before = { cost: 1, forSize: this.callsOfInput(admission) - 1 };
    const charge = { ...before, cost: operation.cost(input), before, isNowCreation: true } as const;
    return budgets.charge(caller, operation.budget, charge, call.allow);
  }
}

interface Live {
  readonly context: CallContext | PublicContext;
  readonly input: object;
  /** Aborts where nobody pulls any more. */
  readonly left: AbortSignal | undefined;
  readonly show: (page: unknown) => Promise<unknown>;
}
