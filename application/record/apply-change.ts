import { isMirror } from '../../domain/record/federated-record.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { recommendationAfter, signalled } from '../../domain/record/settlement.ts';
import { hasRoomToTell } from '../sharing/room-to-tell.ts';
import { counted, type TellPeer } from '../sharing/tell-peer.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import { systemOrigin, type Origin } from '../sealing/origin.ts';
import type { SealRecord } from '../sealing/seal-record.ts';
import type { Children } from './children.ts';
import type { LockRecord } from './lock-record.ts';
import type { LockedRecord } from './locked-record.ts';

export interface AppliedChange {
  readonly change: RecordChange;
  readonly entry: SealedEntry;
}

/** Writes a decided change: the row, its entry, the signal that follows from it, and what it means for the parent. */
export class ApplyChange {
  constructor(
    private readonly sealRecord: SealRecord,
    private readonly children: Children,
    private readonly lockRecord: LockRecord,
    private readonly tellPeer: TellPeer,
    private readonly ids: IdSource,
  ) {}

  /** The unit of work holds the tree that the record belongs to. */
  async withParent(
    held: LockedRecord,
    origin: Origin,
    decided: RecordChange,
  ): Promise<AppliedChange> {
    const applied = await this.single(held, origin, decided);
    if (isEnd(decided)) await this.tellParent(held, decided.after, origin.requestId);
    if (decided.child && TERMINAL.has(decided.child.status))
      await this.tellParent(held, decided.child, origin.requestId);
    return applied;
  }

  /** The same without the parent, which the caller of this method deals with. */
  async single(
    { stores, chain }: Pick<LockedRecord, 'stores' | 'chain'>,
    origin: Origin,
    decided: RecordChange,
    recordType: RecordType | null = null,
  ): Promise<AppliedChange> {
    // Signals are home's alone.
    const recommendation = isMirror(decided.after) ? null : recommendationAfter(decided);
    const settled =
      recommendation &&
      signalled(decided.after, recommendation, this.ids.next(), decided.dispute?.id ?? null);
    const change = counted(
      settled ? { ...decided, after: settled.record } : decided,
      settled ? 1 : 0,
    );
    await (change.before
      ? stores.records.update(change.after, change.before)
      : stores.records.insert(change.after));
    const { entry, signalled: signal } = await this.sealRecord.seal(
      stores,
      chain,
      origin,
      change,
      settled?.signal ?? null,
    );
    await this.tellPeer.changed(stores, change, entry, signal, recordType);
    return { change, entry };
  }

  /** When the last open child ends, a parent that is still open learns how each child ended. */
  private async tellParent(
    { stores, now }: LockedRecord,
    child: RecordState,
    requestId: string,
  ): Promise<void> {
    if (child.parentRecordId === null) return;
    const parent = await stores.records.lockInTree(child.parentRecordId);
    if (!parent || TERMINAL.has(parent.status) || (await stores.records.hasOpenChild(parent.id)))
      return;
    const held = await this.lockRecord.prove(stores, new NotaryRecord(parent), 'system', now);
    const { record, recordType, chain } = held;
    // Whoever verifies the children himself is told that a step is due first.
    if (!(await hasRoomToTell(stores, parent, chain.head?.position ?? 0))) return;
    const children = await this.children.of(stores, parent, chain);
    if (children.some((child) => !TERMINAL.has(child.record.status))) return;
    await this.single(
      held,
      systemOrigin(requestId),
      record.childrenEnded(recordType.manifest.cascade, children, chain.at),
    );
  }
}

/** Whether the record ended, or its outcome was overturned. */
const isEnd = ({ before, after }: RecordChange): boolean =>
  before !== null && before.status !== after.status && TERMINAL.has(after.status);
