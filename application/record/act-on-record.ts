import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import { isMirror } from '../../domain/record/federated-record.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { actingOn, mayRead } from '../../domain/record/sides.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { decidedOnly } from '../sharing/decided-only.ts';
import type { AwaitHome } from '../sharing/await-home.ts';
import { stepRefusal, type OfferedStep, type OfferStep } from './offer-step.ts';
import { furtherOrigin, originOf, systemOrigin, type Origin } from '../sealing/origin.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { withContents, type Contents, type LargeContents } from './large-contents.ts';
import type { ApplyDeadlines, DeadlineCause } from './apply-deadlines.ts';
import { DeadlinePassed } from './deadline-passed.ts';
import type { AppliedChange, ApplyChange } from './apply-change.ts';
import type { LockRecord } from './lock-record.ts';
import type { LockedRecord } from './locked-record.ts';
import { refusedHere } from './refuse-here.ts';

/** One change, or several; each starts where the one before it ended. */
export type Decided = RecordChange | readonly [RecordChange, ...RecordChange[]];

/**
 * The frame of every action on one existing record: lock it, let a passed deadline take effect first, decide, and
 * apply the change.
 */
export class ActOnRecord {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotent: IdempotentTransaction,
    private readonly recordChains: RecordChains,
    private readonly lockRecord: LockRecord,
    private readonly applyChange: ApplyChange,
    private readonly deadlines: ApplyDeadlines,
    private readonly largeContents: LargeContents,
    private readonly offerStep: OfferStep,
    private readonly homeWait: Pick<AwaitHome, 'until'>,
  ) {}

  /**
   * @param decide asks the aggregate for the change; it may throw any refusal, and it runs again after a deadlock.
   * @param answer makes the use case's answer from the last change, in the transaction that keeps an Idempotency-Key.
   * @param isProvisional whether the call goes on with `again`.
   * @throws NOT_FOUND where the caller may not read the record.
   */
  byCaller<T>(
    context: CallContext,
    recordId: Uuid,
    decide: (held: LockedRecord) => Promise<Decided>,
    answer: (applied: AppliedChange) => T,
    isProvisional = false,
  ): Promise<T> {
    return this.unlessDone<T>(context, recordId, decide, answer, isProvisional);
  }

  /** The same for an action that may have been done before: then `decide` gives the answer, and nothing is written. */
  async unlessDone<T>(
    context: CallContext,
    recordId: Uuid,
    decide: (held: LockedRecord) => Promise<Decided | { readonly done: T }>,
    answer: (applied: AppliedChange) => T,
    isProvisional = false,
  ): Promise<T> {
    let offered: OfferedStep | undefined;
    const first = await this.afterDeadlines(context, (contents) =>
      this.idempotent.run(
        context,
        async (stores) => {
          offered = undefined;
          const held = await this.hold(stores, context, recordId, contents);
          const change = await decided(held, decide);
          if ('done' in change) return doneBefore(context, change.done);
          const applied = await this.apply(stores, held, context, change);
          offered = applied.offered;
          await context.peer?.done(stores, applied.change.after, applied.first);
          return answer(applied);
        },
        isProvisional,
      ),
    );
    return offered ? this.afterHome(context, offered, first, answer) : first;
  }

  /** On a mirror, home is asked for what its party decided. */
  private async apply(
    stores: Stores,
    held: LockedRecord,
    context: CallContext,
    decided: Decided,
  ): Promise<AppliedAll & { readonly offered?: OfferedStep }> {
    const origin = originOf(context);
    const [first] = 'transition' in decided ? [decided] : decided;
    if (!isMirror(held.record.state) || this.offerStep.isOwn(first))
      return this.applyAll({ ...held, stores }, origin, decided);
    const offered = await this.offerStep.offer({ ...held, stores }, origin, first);
    return { ...offered, first: offered.entry };
  }

  /** The answer after home's, where that comes in time; else the one before. */
  private async afterHome<T>(
    context: CallContext,
    offered: OfferedStep,
    before: T,
    answer: (applied: AppliedChange) => T,
  ): Promise<T> {
    if (!(await this.homeWait.until(offered))) return before;
    return this.idempotent.again(context, async (stores) =>
      answer(await this.offerStep.outcome(stores, offered)),
    );
  }

  /** A second unit of work of the same call, in which the service itself acts. */
  again<T>(
    context: CallContext,
    recordId: Uuid,
    decide: (held: LockedRecord) => Promise<RecordChange>,
    answer: (applied: AppliedChange) => T,
  ): Promise<T> {
    return this.afterDeadlines(context, (contents) =>
      this.idempotent.again(context, async (stores) => {
        const held = await this.holdForSystem(stores, recordId, contents);
        return answer(
          await this.applyAll(held, systemOrigin(context.requestId), await decide(held)),
        );
      }),
    );
  }

  /** An action of the service itself, outside any call. */
  async bySystem(
    recordId: Uuid,
    requestId: string,
    decide: (held: LockedRecord) => Promise<RecordChange>,
  ): Promise<void> {
    await this.afterDeadlines({ requestId }, (contents) =>
      this.unitOfWork.transaction(async (stores) => {
        const held = await this.holdForSystem(stores, recordId, contents);
        await this.applyAll(held, systemOrigin(requestId), await decide(held));
      }),
    );
  }

  /** Deadlines of the record itself, and of its children where the attempt depends on them. */
  private async afterDeadlines<T>(
    cause: DeadlineCause,
    attempt: (contents: Contents) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.largeContents.whileNeeded(attempt);
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      for (const recordId of error.recordIds) await this.deadlines.to(recordId, cause);
      // What took effect may have a deadline of its own, and that may have passed by now.
      return this.afterDeadlines(cause, attempt);
    }
  }

  private async hold(
    stores: Stores,
    context: CallContext,
    recordId: Uuid,
    contents: Contents,
  ): Promise<LockedRecord> {
    const { caller } = context;
    const { record, now } = await this.lockRecord.row(stores, recordId);
    if (!mayRead(caller, record.state)) throw notFound('record');
    if (this.deadlines.areDue(record, now)) throw new DeadlinePassed([recordId]);
    assertVersion(record.state, context.expectedVersions);
    const acting = actingOn(caller, record.state);
    const whole = new NotaryRecord(withContents(record.state, contents));
    const held = await this.lockRecord.prove(stores, whole, acting, now.toISOString());
    if (context.peer)
      return { ...held, record: new NotaryRecord(context.peer.begin(held.record.state)) };
    return isMirror(record.state) ? { ...held, stores: decidedOnly(stores, recordId) } : held;
  }

  private async holdForSystem(
    stores: Stores,
    recordId: Uuid,
    contents: Contents,
  ): Promise<LockedRecord> {
    const { record, now } = await this.lockRecord.row(stores, recordId);
    if (isMirror(record.state)) throw homeDecides(record.state);
    if (this.deadlines.areDue(record, now)) throw new DeadlinePassed([recordId]);
    const whole = new NotaryRecord(withContents(record.state, contents));
    return this.lockRecord.prove(stores, whole, 'system', now.toISOString());
  }

  private async applyAll(
    held: LockedRecord,
    origin: Origin,
    decided: Decided,
  ): Promise<AppliedAll> {
    const [first, ...others] = 'transition' in decided ? ([decided] as const) : decided;
    let applied = await this.applyChange.withParent(held, origin, first);
    const { entry } = applied;
    for (const change of others) {
      const { after } = applied.change;
      const { head } = await this.recordChains.lock(held.stores, after);
      // All of them bear the time of the decision, as the row does: another process compares the two.
      const chain = { ...held.chain, head };
      applied = await this.applyChange.withParent(
        { ...held, record: new NotaryRecord(after), chain },
        furtherOrigin(origin),
        change,
      );
    }
    return { ...applied, first: entry };
  }
}

/** The last of several changes that were made together, and the entry of the first: that of the act itself. */
interface AppliedAll extends AppliedChange {
  readonly first: SealedEntry;
}

const decided = async <T>(
  held: LockedRecord,
  decide: (held: LockedRecord) => Promise<T>,
): Promise<T> => {
  try {
    return await decide(held);
  } catch (error) {
    const { stores, record, now } = held;
    // What the record will be is not known while a step waits.
    const waits = isMirror(record.state) ? stepRefusal(record.state) : null;
    if (waits?.code === 'STEP_PENDING' && error instanceof NotaryError && isOfState(error))
      throw waits;
    throw await refusedHere(
      error,
      record.state,
      now,
      (id) => stores.disputes.lock(id),
      (id) => stores.records.hasOpenChild(id),
    );
  }
};

const isOfState = ({ code }: NotaryError): boolean =>
  code === 'INVALID_ACTION' || code === 'UNPROCESSABLE_STATE' || code === 'INVALID_TRANSITION';

/** Home tells its mirror of every step that it applies; of one that changes nothing there is nothing to tell. */
const doneBefore = <T>(context: CallContext, done: T): T => {
  if (context.peer) throw new NotaryError('UNPROCESSABLE', 'The step was taken before.');
  return done;
};

/** The service acts by itself where a record is at home: a mirror that did would be a chain that no verifier takes. */
const homeDecides = ({ federation }: RecordState): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The record follows its home, on the hub ${federation?.peerHubId}; nothing but home moves it.`,
  );

const assertVersion = (record: RecordState, expected: readonly number[] | undefined): void => {
  if (expected && !expected.includes(record.version)) {
    throw new NotaryError(
      'PRECONDITION_FAILED',
      `The record is at version ${record.version}, not ${expected.join(' or ')}.`,
    );
  }
};
