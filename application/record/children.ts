import { hashJson, toHex } from '../../domain/kernel/digest.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { childClaim, type Child } from '../../domain/record/child.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { entriesBehind, openedBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import { childrenOfPeer } from '../sharing/children-of-peer.ts';
import { hasRoomToTell, stepDue } from '../sharing/room-to-tell.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { DeadlinePassed } from './deadline-passed.ts';
import type { LockedRecord } from './locked-record.ts';

/**
 * The children of a record as the chains tell them, not the rows: the chain of the parent names them, and the chain of
 * each child tells its state. So no edited row can fulfil a parent.
 */
export class Children {
  constructor(private readonly recordChains: RecordChains) {}

  /**
   * Guards and gates count a child whose deadline has passed as ended. So its transition is made first, however late a
   * worker is.
   *
   * @throws DeadlinePassed naming the children.
   */
  async assertNoneDue({
    stores,
    record,
    now,
  }: Pick<LockedRecord, 'stores' | 'record' | 'now'>): Promise<void> {
    if (record.state.childCount === 0) return;
    const due = await stores.records.dueChildren(record.state.id, now);
    if (due.length > 0) throw new DeadlinePassed(due);
  }

  /** The children that a judgement on the record depends on; none if neither its cascade rule nor a gate asks for them. */
  async forJudging({
    stores,
    record: { state: parent },
    recordType: { manifest },
    chain,
  }: LockedRecord): Promise<readonly Child[]> {
    if (parent.federation?.role === 'home')
      return manifest.cascade.rule === 'none' ? [] : childrenOfPeer(stores, parent);
    const asked =
      parent.childCount > 0 ||
      manifest.cascade.rule !== 'none' ||
      manifest.gates.some(({ expression }) => expression.includes('children'));
    return asked ? this.of(stores, parent, chain) : [];
  }

  /**
   * @param chain of the parent. The unit of work holds it and the tree, and has verified its head.
   * @throws CONFLICT with reason payload_drift where the rows say something else.
   */
  async of(stores: Stores, parent: RecordState, chain: OpenChain): Promise<readonly Child[]> {
    const ids = await this.delegated(stores, chain);
    if (ids.length !== parent.childCount) throw payloadDrift(parent.id, 'childCount');
    const records = new Map(
      (await stores.records.findInTree(ids)).map((record) => [record.id, record]),
    );
    const children: Child[] = [];
    for (const id of ids) {
      const record = records.get(id);
      if (!record) throw payloadDrift(id, 'the row of a child is missing');
      const { head } = await this.recordChains.lock(stores, record);
      children.push({ record, headHash: toHex((head as ChainHead).hash) });
    }
    return children;
  }

  /**
   * The newest CASCADE_VERIFIED of the chain where it says of the children what is true of them now: nobody needs
   * another one. Null where they have moved on since, or were never verified.
   */
  async verifiedSo(
    stores: Stores,
    chain: OpenChain,
    children: readonly Child[],
  ): Promise<ChainEntry | null> {
    for await (const { entry, predicate } of openedBehind(stores, chain)) {
      if (predicate['entryType'] === 'CHILD_DELEGATED') return null;
      if (predicate['entryType'] !== 'CASCADE_VERIFIED') continue;
      const now = children.map(childClaim) as unknown as JsonValue;
      return hashJson(predicate['children'] ?? null) === hashJson(now) ? entry : null;
    }
    return null;
  }

  /**
   * Home judges by the newest CASCADE_VERIFIED of its mirror. Where nothing says there what became of the children, since a
   * step was due first, the work would be judged by an older one.
   */
  async assertHomeHears(
    stores: Stores,
    record: RecordState,
    chain: OpenChain,
    children: readonly Child[],
  ): Promise<void> {
    if (children.length === 0) return;
    if (await hasRoomToTell(stores, record, chain.head?.position ?? 0)) return;
    if (!(await this.verifiedSo(stores, chain, children))) throw stepDue();
  }

  /** In the order of delegation. An entry CASCADE_VERIFIED lists all children so far, so the walk back ends there. */
  private async delegated(stores: Stores, chain: OpenChain): Promise<readonly Uuid[]> {
    const since: Uuid[] = [];
    for await (const { entryType, childIds } of entriesBehind(stores, chain)) {
      if (entryType === 'CASCADE_VERIFIED') return [...childIds, ...since.reverse()];
      if (entryType === 'CHILD_DELEGATED') since.push(...childIds);
    }
    return since.reverse();
  }
}
