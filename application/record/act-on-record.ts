import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import { SYSTEM_ACTOR, actorOf, type CallContext } from '../../domain/identity/caller.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { actingOn, mayRead, type Acting } from '../../domain/record/sides.ts';
import type { SealedEntry } from '../sealing/signed-statement.ts';
import type { RunOnce } from '../idempotency/run-once.ts';
import type { LoadManifest } from './load-manifest.ts';
import type { OpenChain, Origin, SealEvents } from '../sealing/seal-events.ts';
import type { Stores, UnitOfWork } from '../unit-of-work.port.ts';

/** A record, locked with its chain, in the hands of one caller. */
export interface Held {
  readonly stores: Stores;
  readonly record: NotaryRecord;
  readonly chain: OpenChain;
  readonly acting: Acting;
}

export interface Acted {
  readonly change: RecordChange;
  readonly entry: SealedEntry;
}

/** The row says that its time is out; the expiry comes first, in a unit of work of its own. */
class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * What every action on one existing record has in common: lock it, let a passed deadline take effect first,
 * decide, write the row, seal.
 */
export class ActOnRecord {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly runOnce: RunOnce,
    private readonly sealing: SealEvents,
    private readonly loadManifest: LoadManifest,
  ) {}

  /**
   * @param decide asks the aggregate for the change; it may throw any refusal and runs again after a deadlock.
   * @param answer makes the use case's answer of it, inside the transaction that an Idempotency-Key is kept in.
   * @param isProvisional the call goes on with `again`.
   * @throws NOT_FOUND to whoever may not read the record.
   */
  execute<T>(context: CallContext, recordId: Uuid, expectedVersions: readonly number[] | undefined, decide: (held: Held) => Promise<RecordChange>, answer: (acted: Acted) => T, isProvisional = false): Promise<T> {
    return this.afterDeadline(recordId, () =>
      this.runOnce.execute(context, async (stores) => {
        const held = await this.hold(stores, context, recordId, expectedVersions);
        return this.carryOut(held, originOf(context), await decide(held), answer);
      }, isProvisional),
    );
  }

  /** The same where it may have been done before: `decide` then gives the answer itself, and nothing is written. */
  unlessDone<T>(context: CallContext, recordId: Uuid, decide: (held: Held) => Promise<RecordChange | { readonly done: T }>, answer: (acted: Acted) => T): Promise<T> {
    return this.afterDeadline(recordId, () =>
      this.runOnce.execute(context, async (stores) => {
        const held = await this.hold(stores, context, recordId, undefined);
        const decided = await decide(held);
        return 'done' in decided ? decided.done : this.carryOut(held, originOf(context), decided, answer);
      }),
    );
  }

  /** A further unit of work of one call, in which the service itself acts. */
  again<T>(context: CallContext, recordId: Uuid, decide: (held: Held) => Promise<RecordChange>, answer: (acted: Acted) => T): Promise<T> {
    return this.runOnce.again(context, async (stores) => {
      const held = await this.holdForSystem(stores, (await this.lock(stores, recordId)).record);
      return this.carryOut(held, systemOrigin(context.requestId), await decide(held), answer);
    });
  }

  /** An action of the service itself, outside of any call. */
  bySystem(recordId: Uuid, requestId: string, decide: (held: Held) => Promise<RecordChange>): Promise<void> {
    return this.unitOfWork.transaction(async (stores) => {
      const held = await this.holdForSystem(stores, (await this.lock(stores, recordId)).record);
      await this.carryOut(held, systemOrigin(requestId), await decide(held), () => undefined);
    });
  }

  /** Makes the transition that a passed deadline made due; nothing where it is not, or no longer. */
  expireIfDue(recordId: Uuid, requestId: string): Promise<void> {
    return this.unitOfWork.transaction(async (stores) => {
      const { record, now } = await this.lock(stores, recordId);
      if (!record.isDue(now)) return;
      const held = await this.holdForSystem(stores, record);
      const change = record.expire(record.rowFor('expire', 'system', 'dedicated'), held.chain.at);
      await this.carryOut(held, systemOrigin(requestId), change, () => undefined);
    });
  }

  private async afterDeadline<T>(recordId: Uuid, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      await this.expireIfDue(recordId, error.message);
      return attempt();
    }
  }

  private async hold(stores: Stores, context: CallContext, recordId: Uuid, expectedVersions: readonly number[] | undefined): Promise<Held> {
    const { record, now } = await this.lock(stores, recordId);
    if (!mayRead(context.caller, record.state)) throw notFound('record');
    if (record.isDue(now)) throw new DeadlinePassed(context.requestId);
    assertVersion(record.state, expectedVersions);
    const chain = await this.sealing.continueRecord(stores, record.state);
    await this.loadManifest.execute(record.state);
    return { stores, record, chain, acting: actingOn(context.caller, record.state) };
  }

  private async holdForSystem(stores: Stores, record: NotaryRecord): Promise<Held> {
    return { stores, record, chain: await this.sealing.continueRecord(stores, record.state), acting: 'system' };
  }

  private async lock(stores: Stores, recordId: Uuid): Promise<{ readonly record: NotaryRecord; readonly now: Date }> {
    const found = await stores.records.lock(recordId);
    if (!found) throw notFound('record');
    return { record: new NotaryRecord(found.record), now: found.now };
  }

  private async carryOut<T>({ stores, chain }: Held, origin: Origin, change: RecordChange, answer: (acted: Acted) => T): Promise<T> {
    await stores.records.update(change.after);
    return answer({ change, entry: await this.sealing.record(stores, chain, origin, change) });
  }
}

const originOf = ({ caller, requestId }: CallContext): Origin => ({ actor: actorOf(caller), requestId });
const systemOrigin = (requestId: string): Origin => ({ actor: SYSTEM_ACTOR, requestId });

const assertVersion = (record: RecordState, expected: readonly number[] | undefined): void => {
  if (expected && !expected.includes(record.version)) {
    throw new NotaryError('PRECONDITION_FAILED', `The record is at version ${record.version}, not ${expected.join(' or ')}.`);
  }
};
