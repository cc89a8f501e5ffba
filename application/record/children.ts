import { toHex } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Child } from '../../domain/record/child.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { OpenedEntry } from '../../domain/vault/open-entry.ts';
import { namedEntry, payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain, SealEvents } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';

/**
 * The children of a record as the chains say, not as the rows do: which ones there are stands on the chain of the
 * parent, how each of them stands on its own. So no edited row can fulfil a parent.
 */
export class Children {
  constructor(private readonly sealing: SealEvents) {}

  /** The children that a judgement on the record depends on: none where neither its rule nor a gate asks for them. */
  async forJudging(stores: Stores, parent: RecordState, chain: OpenChain, manifest: Manifest): Promise<readonly Child[]> {
    const asked = parent.childCount > 0 || manifest.cascade.rule !== 'none' || manifest.gates.some(({ expression }) => expression.includes('children'));
    return asked ? this.of(stores, parent, chain) : [];
  }

  /**
   * @param chain of the parent: the unit of work holds it, with the tree, and has verified its head.
   * @throws CONFLICT with reason payload_drift where the rows say something else.
   */
  async of(stores: Stores, parent: RecordState, chain: OpenChain): Promise<readonly Child[]> {
    const ids = await this.delegated(stores, chain);
    if (ids.length !== parent.childCount) throw payloadDrift(parent.id, 'childCount');
    const records = new Map((await stores.records.findInTree(ids)).map((record) => [record.id, record]));
    const children: Child[] = [];
    for (const id of ids) {
      const record = records.get(id);
      if (!record) throw payloadDrift(id, 'the row of a child is missing');
      const { head } = await this.sealing.continueRecord(stores, record);
      children.push({ record, headHash: toHex((head as ChainHead).hash) });
    }
    return children;
  }

  /** In the order in which they were delegated. Every entry is reached from the verified head by the hashes that the entries name. */
  private async delegated(stores: Stores, { chainKey, head }: OpenChain): Promise<readonly Uuid[]> {
    const ids: Uuid[] = [];
    let hash = head?.hash;
    let position = 0;
    for (const entry of await stores.chains.newestFirst(chainKey)) {
      const { header, predicate } = namedEntry(chainKey, hash, entry);
      ids.push(...delegatedBy(predicate));
      hash = header.chain?.previousHash;
      position = header.chain?.position ?? 0;
    }
    if (position !== 1) throw payloadDrift(chainKey, 'the first entry');
    return ids.reverse();
  }
}

const delegatedBy = (predicate: OpenedEntry['predicate']): readonly Uuid[] =>
  predicate['entryType'] === 'CHILD_DELEGATED' ? ((predicate['children'] ?? []) as readonly { readonly id: Uuid }[]).map(({ id }) => id) : [];
