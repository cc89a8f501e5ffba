import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { originOf, systemOrigin, type Origin } from '../sealing/origin.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ApplyChange } from './apply-change.ts';
import type { LockRecord } from './lock-record.ts';

/** The most open records that one call cancels, since they all end in one transaction. */
const MAX_CANCELLED = 1_000;

/** Cancels every open record below a record, the deepest first. */
export class CancelSubtree {
  constructor(
    private readonly lockRecord: LockRecord,
    private readonly applyChange: ApplyChange,
  ) {}

  /**
   * The unit of work holds the tree.
   *
   * @param now by the database: a record whose expiry has passed expires, and is not cancelled.
   * @param at of the entry of the record above, which is sealed last: no entry below it is later.
   * @returns how many records were cancelled.
   */
  async below(
    stores: Stores,
    context: CallContext,
    root: RecordState,
    now: string,
    at: string,
  ): Promise<number> {
    const open = await this.openBelow(stores, root);
    if (open.length > MAX_CANCELLED) throw tooMany(open.length);
    let cancelled = 0;
    for (const id of open) if (await this.end(stores, context, id, now, at)) cancelled += 1;
    return cancelled;
  }

  /** @returns whether it was cancelled. */
  private async end(
    stores: Stores,
    context: CallContext,
    id: Uuid,
    now: string,
    at: string,
  ): Promise<boolean> {
    const state = await stores.records.lockInTree(id);
    if (!state) return false;
    const proven = await this.lockRecord.prove(stores, new NotaryRecord(state), 'system', now);
    const { record } = proven;
    const { head } = proven.chain;
    const chain = { ...proven.chain, at: head && head.at > at ? head.at : at };
    const held = { ...proven, chain };
    const isDue = record.isDue(new Date(now));
    if (isDue)
      await this.applyChange.single(
        held,
        systemOrigin(context.requestId),
        record.expire(record.transitionFor('expire', 'system'), chain.at),
      );
    // Descendants are contracts between others, so their entries do not tell for whom the caller acts. They keep its own
    // signature, by which they show that the caller meant the tree.
    else
      await this.applyChange.single(
        held,
        withoutSubject(originOf(context)),
        record.cancelWithParent(chain.at),
      );
    return !isDue;
  }

  /** The deepest first. The walk goes level by level, because an open record may stand below one that has ended. */
  private async openBelow(stores: Stores, root: RecordState): Promise<readonly Uuid[]> {
    const open: Uuid[] = [];
    const seen = new Set<Uuid>([root.id]);
    for (let level: readonly Uuid[] = [root.id]; level.length > 0;) {
      const children = (await stores.records.childrenOf(level)).filter(({ id }) => !seen.has(id));
      for (const { id, status } of children) {
        seen.add(id);
        if (!TERMINAL.has(status)) open.push(id);
      }
      level = children.filter(({ childCount }) => childCount > 0).map(({ id }) => id);
    }
    return open.reverse();
  }
}

const withoutSubject = ({ onBehalfOf: _, ...origin }: Origin): Origin => origin;

const tooMany = (open: number): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `${open} records are open below this one; at most ${MAX_CANCELLED} are cancelled in one call.`,
    {
      errors: [{ path: '/cascade', keyword: 'maxItems', message: `${open} open records` }],
      suggestion: 'Cancel the larger branches first, each by itself with cascade: true.',
    },
  );
