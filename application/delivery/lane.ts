import { isSpent, mayLeave, probing, type Circuit } from '../../domain/delivery/circuit.ts';
import {
  gapsBeyond,
  isActive,
  isPaused,
  type Subscription,
} from '../../domain/delivery/subscription.ts';
import type { Reader } from '../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { buryWaiting } from './bury-waiting.ts';
import { deactivate } from './deactivate-webhook.ts';
import { ownedNow } from './owned-now.ts';
import { batchOf, interrupted, type Batch } from './lane-batch.ts';
import { LaneHold } from './lane-hold.ts';
import { intakeOf, takeIn, type Intake } from './lane-intake.ts';
import { LaneOutcomes } from './lane-outcomes.ts';
import type { LaneParts } from './lane-parts.ts';
import type { Place } from './lane-places.ts';
import { AT_ONCE, circuitAfter, dueOf } from './lane-results.ts';
import { LaneSender } from './lane-sender.ts';
import { markNow } from './mark-now.ts';

/** Rows that are read ahead of a receiver that takes them: it does not wait until a burst is read. */
const READY = 500;
/** The same where none may leave: what happens while the circuit is open is refused. */
const AHEAD = 10_000;
const WOKEN = 0;
const MANY_GAPS = 50;
/** Long enough for what was under way to be committed and numbered, ms. */
const LATE_MS = 60_000;

/**
 * The work of one subscription, while this process holds it: it reads events, signs what is next, commits that, sends it one
 * request at a time, and commits what came of it together with what is signed next.
 */
export class Lane {
  private readonly hold: LaneHold;
  private readonly outcomes: LaneOutcomes;
  private readonly sender: LaneSender;
  private ahead: number | null = null;
  /** It has read every event that there is. */
  private isCaughtUp = false;
  private readonly nextId = (): Uuid => this.parts.ids.next();

  constructor(
    private readonly parts: LaneParts,
    private readonly id: Uuid,
    private readonly token: Uuid,
    /** 0 to 1: retries of many receivers do not come at once. */
    chance: () => number,
  ) {
    this.hold = new LaneHold(parts.unitOfWork, id, token);
    this.outcomes = new LaneOutcomes(parts.outbox, id, token);
    this.sender = new LaneSender(parts, this.hold, this.outcomes, chance);
  }

  /** @throws LostLease */
  async run(stopping: Place): Promise<void> {
    await this.settle();
    try {
      do {
        while (!stopping.aborted && (await this.turn(stopping)));
      } while (!(await this.finish(stopping.aborted)));
    } catch (error) {
      if (isDrift(error)) await this.keepOutcomes();
      throw error;
    }
  }

  /** Somebody edited a row while a request was under way: what came of it holds all the same, and nothing is sent twice. */
  private async keepOutcomes(): Promise<void> {
    const { sender } = this;
    if (!sender.sentFor || this.outcomes.isEmpty) return;
    await this.flush(sender.sentFor);
  }

  /** What a worker left that died. */
  private async settle(): Promise<void> {
    const { queue, webhooks } = this.parts;
    const rows = await queue.unanswered(this.id);
    if (rows.length === 0) return;
    const state = await webhooks.find(this.id);
    // Somebody edited it: nothing is done until that is put back.
    if (!state) return;
    const { orgId } = state.subscription;
    const { ended, letters } = interrupted(rows, orgId, this.now(), this.nextId);
    await this.hold.held(async (stores) => {
      await stores.deliveries.end(ended);
      await stores.deliveries.bury(letters);
    });
  }

  /** @returns whether there may be more to do at once. */
  private async turn(stopping: Place): Promise<boolean> {
    const { webhooks, queue } = this.parts;
    const state = await webhooks.find(this.id);
    if (!state) return false;
    const subscription = await ownedNow(this.parts.agents, state.subscription);
    if (!isActive(subscription)) return this.giveUp(subscription, state.reader.position);
    if (isPaused(subscription)) return false;
    // What was taken back comes before what is behind it.
    if (this.outcomes.unsent.length > 0) {
      await this.flush(subscription);
      return true;
    }
    const { reader } = state;
    const at = this.now();
    const circuit = circuitAfter(reader.circuit, this.outcomes.results);
    const leave = mayLeave(circuit, at);
    const ahead = leave === 'any' ? READY : AHEAD;
    const intake = await this.intake(subscription, reader, ahead);
    this.isCaughtUp = intake === null && (this.ahead ?? 0) < ahead;
    const limit = leave === 'none' ? 0 : leave === 'probe' ? 1 : this.sender.size;
    const rows = limit === 0 ? [] : await queue.next(this.id, at, limit);
    const batch = await batchOf(this.parts, subscription, rows, at, this.nextId);
    if (!intake && rows.length === 0) {
      // What never left is not counted off: if there is nothing, there may be more to read.
      const isFull = leave === 'any' && (this.ahead ?? 0) >= ahead;
      this.ahead = null;
      return isFull;
    }
    const left = await this.commit(subscription, intake, batch, leave === 'probe', at);
    if (left === 'changed') return true;
    if (left === 'may leave') await this.sender.send(subscription, batch.attempts, stopping);
    await this.endIfSpent(subscription, reader.circuit);
    return rows.length > 0 || (intake !== null && (intake.hasMore || leave !== 'none'));
  }

  private async flush(subscription: Pick<Subscription, 'orgId'>): Promise<void> {
    await this.hold.held(async (stores, held) => {
      await stores.deliveries.save(await this.outcomes.write(stores, held, subscription));
    });
    this.outcomes.clear();
  }

  private async intake(
    subscription: Subscription,
    reader: Reader,
    ahead: number,
  ): Promise<Intake | null> {
    this.ahead ??= await this.parts.queue.waiting(this.id, AHEAD);
    if (this.ahead >= ahead) return null;
    return intakeOf(this.parts.events, subscription, reader.position, this.nextId);
  }

  /** @returns whether the batch may leave; `changed`: nothing was written of it, for what it stands on is so no more. */
  private async commit(
    subscription: Subscription,
    intake: Intake | null,
    batch: Batch,
    isProbe: boolean,
    at: string,
  ): Promise<'may leave' | 'stays' | 'changed'> {
    const [left, taken] = await this.hold.held(async (stores, held) => {
      const { deliveries } = stores;
      let reader = await this.outcomes.write(stores, held, subscription);
      // Every act writes to the reader as well, which is locked here: one that is answered is seen.
      if ((await stores.webhooks.version(this.id)) !== subscription.version) {
        await deliveries.save(reader);
        return ['changed', 0] as const;
      }
      let queued = 0;
      if (intake?.after === reader.position) {
        const taken = takeIn(intake, reader, reader.circuit, subscription, at);
        reader = taken.reader;
        queued = taken.queued.length;
        await deliveries.enqueue(taken.queued);
        await deliveries.bury(taken.refused);
      }
      await deliveries.end(batch.ended);
      await deliveries.bury(batch.letters);
      // An operator may have opened it since.
      const goes = mayLeave(reader.circuit, at) === (isProbe ? 'probe' : 'any');
      if (goes && batch.attempts.length > 0) {
        await deliveries.enqueue(batch.retries);
        await deliveries.closeRetries(batch.closed);
        await deliveries.sign(
          batch.attempts.map(({ ready }) => ready),
          at,
        );
        if (isProbe) reader = { ...reader, circuit: probing(reader.circuit) };
      }
      await deliveries.save(reader);
      return [goes ? 'may leave' : 'stays', queued] as const;
    });
    this.outcomes.clear();
    const gone = left === 'may leave' ? batch.attempts.length - batch.retries.length : 0;
    this.ahead = (this.ahead ?? 0) + taken - gone;
    return left;
  }

  /** 410, or no success for three days. */
  private async endIfSpent(subscription: Subscription, before: Circuit): Promise<void> {
    const isGone = this.outcomes.results.some(
      ({ verdict }) => verdict.kind === 'dead' && verdict.ends,
    );
    const last = this.outcomes.results.at(-1);
    const isLong =
      last !== undefined &&
      last.verdict.kind !== 'delivered' &&
      isSpent(circuitAfter(before, this.outcomes.results), last.at);
    if (!isGone && !isLong) return;
    const mark = await markNow(this.parts.events, this.parts.clock);
    await this.hold.held(async (stores, held) => {
      const reader = await this.outcomes.write(stores, held, subscription);
      await stores.deliveries.save(reader);
      await deactivate(
        this.parts,
        stores,
        this.id,
        isGone ? 'gone' : 'no_success',
        mark,
        this.token,
      );
    });
    this.outcomes.clear();
  }

  /** What waits goes to the DLQ, read or not; what happens meanwhile is passed over. @returns whether there is more. */
  private async giveUp(subscription: Subscription, position: number): Promise<boolean> {
    const { events, ids } = this.parts;
    const at = this.now();
    const intake = await intakeOf(events, subscription, position, this.nextId);
    const buried = await this.hold.held(async (stores, held) => {
      let reader = await this.outcomes.write(stores, held, subscription);
      const waiting = await buryWaiting(stores, ids, subscription, at);
      if (intake?.after === reader.position) {
        const taken = takeIn(intake, reader, reader.circuit, subscription, at);
        reader = taken.reader;
        await stores.deliveries.bury(taken.refused);
      }
      await stores.deliveries.save(reader);
      return waiting;
    });
    this.outcomes.clear();
    this.ahead = null;
    return buried > 0 || (intake?.hasMore ?? false);
  }

  /** @returns false where somebody asked for another look meanwhile. */
  private async finish(isStopping: boolean): Promise<boolean> {
    const { queue, webhooks } = this.parts;
    const state = await webhooks.find(this.id);
    if (!state) return true;
    const { subscription } = state;
    const rests = isActive(subscription) && !isPaused(subscription);
    const [retryAt, waiting] = rests
      ? await Promise.all([queue.nextRetryAt(this.id), queue.waiting(this.id, 1)])
      : [null, 0];
    const isDone = await this.hold.held(async (stores, held) => {
      const reader = await this.outcomes.write(stores, held, subscription);
      if (rests && this.isCaughtUp) await this.forgetGaps(stores, subscription, reader);
      const isWoken = held.dueAt !== null && Date.parse(held.dueAt) === WOKEN && !isStopping;
      const dueAt = isStopping
        ? AT_ONCE
        : !rests
          ? lateLook(subscription, this.now())
          : dueOf(reader.circuit, this.outcomes.results, retryAt, waiting > 0);
      await stores.deliveries.save({ ...reader, dueAt: isWoken ? AT_ONCE : dueAt });
      if (!isWoken) await stores.deliveries.release(this.id, this.token);
      return !isWoken;
    });
    this.outcomes.clear();
    return isDone;
  }

  /** Forgets the gaps that the subscription has read past, if it was paused again and again. */
  private async forgetGaps(
    stores: Stores,
    { gaps }: Subscription,
    { position }: Pick<Reader, 'position'>,
  ): Promise<void> {
    if (gaps.length <= MANY_GAPS) return;
    const subscription = await stores.webhooks.lock(this.id);
    if (subscription)
      await stores.webhooks.update({
        ...subscription,
        gaps: gapsBeyond(subscription.gaps, position),
      });
  }

  private now(): string {
    return this.parts.clock.now().toISOString();
  }
}

/** When an inactive one is looked at once more: for what was committed late, ISO 8601; null where that was done. */
const lateLook = ({ gaps }: Subscription, now: string): string | null => {
  const from = gaps.find(({ kind, to }) => kind === 'inactive' && to === null)?.from;
  if (from === undefined) return null;
  const at = new Date(Date.parse(from) + LATE_MS).toISOString();
  return at > now ? at : null;
};
