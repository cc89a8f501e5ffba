import type { GrowingTree, TreeNode } from '../../domain/transparency/rfc9162-tree.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { statementLog, type LogLeaf } from '../../domain/transparency/statement-log.port.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { OrgLogs } from './org-logs.ts';

/** A leaf that has no place yet. */
export type NewLeaf = Omit<LogLeaf, 'index'>;

export interface Appended {
  /** As it is once the unit of work is committed. */
  readonly tree: GrowingTree;
  /** Those that are new, in their order. */
  readonly leaves: readonly LogLeaf[];
}

/** Adds leaves to the logs of orgs, inside a unit of work. Two that add to one log follow each other. */
export class AppendLeaves {
  constructor(private readonly logs: OrgLogs) {}

  /** What stands in the log already is left out. */
  append(stores: Stores, orgId: Uuid, added: readonly NewLeaf[]): Promise<Appended> {
    return this.lockedWith(stores, orgId, () => Promise.resolve(added));
  }

  /** @param added is asked under the lock of the log. */
  async lockedWith(
    stores: Stores,
    orgId: Uuid,
    added: () => Promise<readonly NewLeaf[]>,
  ): Promise<Appended> {
    const log = statementLog(orgId);
    // The head of its schema chain, whose checkpoint covers the log, is its lock.
    await stores.chains.lockHead(schemaChain(orgId));
    const tree = await this.logs.open(orgId, stores);
    const leaves: LogLeaf[] = [];
    const nodes: TreeNode[] = [];
    const asked = await added();
    const logged = await stores.statementLogs.logged(log, asked);
    for (const [at, { hash, entry }] of asked.entries()) {
      if (logged[at]) continue;
      leaves.push({ index: tree.size, hash, entry });
      nodes.push(...tree.append(hash));
    }
    await stores.statementLogs.add(log, leaves);
    await stores.trees.add(log, nodes);
    return { tree, leaves };
  }
}
