import type { CallContext } from '../call/call-context.ts';
import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, type ErrorCode } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Transition } from '../../domain/record/lifecycle.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { actingOn, type Acting } from '../../domain/record/sides.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { FindRecord } from './find-record.ts';
import type { LoadRecordType } from './load-record-type.ts';
import type { Draft, OpenRecord } from './open-record.ts';
import { refusedHere } from './refuse-here.ts';
import type { RecordResult } from './results.ts';

/** Opens a record under another: the performer of the parent delegates a part of its work. */
export class DelegateRecord {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnRecord: ActOnRecord,
    private readonly loadRecordType: LoadRecordType,
    private readonly openRecord: OpenRecord,
    private readonly recordChains: RecordChains,
    private readonly disputes: DisputeReads,
    private readonly clock: Clock,
    /** How deep the operator lets a tree grow below its root. */
    private readonly depthLimit: number,
  ) {}

  /**
   * The parent, if this caller may delegate under it now. The same is checked again under the lock.
   *
   * @throws UNPROCESSABLE, not NOT_FOUND, where this caller sees no such record: a member of the input names it.
   */
  async parent(context: CallContext, parentRecordId: Uuid): Promise<RecordState> {
    const parent = await this.findRecord.find(context, parentRecordId).catch((error: unknown) => {
      throw isNotFound(error) ? unknownParent(parentRecordId) : error;
    });
    await naming(parentRecordId, async () =>
      this.transition(
        new NotaryRecord(parent),
        actingOn(context.caller, parent),
        await this.loadRecordType.load(parent),
      ),
    ).catch(async (error: unknown) => {
      const now = this.clock.now().toISOString();
      throw await refusedHere(
        error,
        parent,
        now,
        (id) => this.disputes.head(id),
        // Without the lock of the tree a child may be opened meanwhile.
        async () => true,
      );
    });
    return parent;
  }

  /** Locks the tree, then seals the child's first entry and the parent's entry about it. */
  open(context: CallContext, draft: Draft, parentRecordId: Uuid): Promise<RecordResult> {
    let child: RecordResult;
    return naming(parentRecordId, () =>
      this.actOnRecord.byCaller(
        context,
        parentRecordId,
        async ({ stores, record, recordType, chain, acting }) => {
          const transition = this.transition(record, acting, recordType);
          record.assertCanDelegate(await this.limitAbove(stores, record.state));
          child = await this.openRecord.open(stores, context, draft, record.state);
          return record.delegate(
            transition,
            { record: child.record, headHash: child.signedStatement?.hash ?? '' },
            chain.at,
          );
        },
        () => child,
      ),
    );
  }

  /** @throws a refusal where nobody, or not this party, may delegate under the record. */
  private transition(
    record: NotaryRecord,
    acting: Acting,
    { manifest }: Pick<RecordType, 'manifest'>,
  ): Transition {
    const transition = record.transitionFor('delegate', acting);
    record.assertCanDelegate(Math.min(this.depthLimit, manifest.maxDelegationDepth));
    return transition;
  }

  /** Each type above limits everything below it. Its record is proven first, for no row says who stands above whom. */
  private async limitAbove(stores: Stores, { parentRecordId }: RecordState): Promise<number> {
    if (parentRecordId === null) return Infinity;
    const ancestor = await stores.records.lockInTree(parentRecordId);
    if (!ancestor) throw payloadDrift(parentRecordId, 'the row of an ancestor is missing');
    await this.recordChains.lock(stores, ancestor);
    const { manifest } = await this.loadRecordType.load(ancestor);
    return Math.min(manifest.maxDelegationDepth, await this.limitAbove(stores, ancestor));
  }
}

/** A refusal that is about the parent names it. */
const naming = async <T>(parentRecordId: Uuid, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NotaryError) || !OF_STATE.has(error.code)) throw error;
    throw new NotaryError(
      error.code,
      `Nothing can be delegated under ${parentRecordId}: ${error.message}`,
      { ...error.members, parentRecordId },
      { cause: error },
    );
  }
};

/** The codes of refusals by the state of the parent, or by its guards. */
const OF_STATE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_ACTION',
  'UNPROCESSABLE_STATE',
]);

const isNotFound = (error: unknown): boolean =>
  error instanceof NotaryError && error.code === 'NOT_FOUND';

const unknownParent = (parentRecordId: Uuid): NotaryError =>
  new NotaryError('UNPROCESSABLE', `There is no record ${parentRecordId} to delegate under.`, {
    parentRecordId,
    errors: [{ path: '/parentRecordId', keyword: 'parent', message: 'there is no such record' }],
    suggestion: 'Name a record that this credential performs, or leave parentRecordId out.',
  });
