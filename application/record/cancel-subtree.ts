import type { CallContext } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { TERMINAL } from '../../domain/record/lifecycle.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealEvents } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { CarryOut } from './carry-out.ts';

/** Open records that one call cancels: they all end in one transaction. */
const MAX_CANCELLED = 1_000;

/** Cancels whatever is open below a record, the deepest first. */
export class CancelSubtree {
  constructor(
    private readonly sealing: SealEvents,
    private readonly carryOut: CarryOut,
  ) {}

  /** The unit of work holds the tree. @returns how many were cancelled. */
  async below(stores: Stores, context: CallContext, root: RecordState): Promise<number> {
    const open = (await this.descendants(stores, root)).filter(({ status }) => !TERMINAL.has(status));
    if (open.length > MAX_CANCELLED) throw tooMany(open.length);
    for (const record of open.sort((a, b) => b.depth - a.depth)) {
      const chain = await this.sealing.continueRecord(stores, record);
      await this.carryOut.alone(stores, chain, originOf(context), new NotaryRecord(record).cancelWithParent(chain.at));
    }
    return open.length;
  }

  /** Level by level: an open record may stand below one that ended. */
  private async descendants(stores: Stores, root: RecordState): Promise<RecordState[]> {
    const all: RecordState[] = [];
    for (let level: readonly RecordState[] = [root]; level.length > 0; ) {
      level = await stores.records.childrenOf(level.filter(({ childCount }) => childCount > 0).map(({ id }) => id));
      all.push(...level);
    }
    return all;
  }
}

const tooMany = (open: number): NotaryError =>
  new NotaryError('UNPROCESSABLE', `${open} records are open below this one; at most ${MAX_CANCELLED} are cancelled in one call.`, {
    errors: [{ path: '/cascade', keyword: 'maxItems', message: `${open} open records` }],
    suggestion: 'Cancel the larger branches first, each by itself with cascade: true.',
  });
