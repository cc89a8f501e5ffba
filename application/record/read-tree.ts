import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordReads, TreeRecord } from '../../domain/record/record-store.port.ts';
import { mayRead } from '../../domain/record/sides.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { ApplyDeadlines } from './apply-deadlines.ts';
import type { FindRecord } from './find-record.ts';
import { keepAsItIs } from './up-to-date-slices.ts';

/** The most records that one answer shows; those nearest to the root come first. */
const MAX_NODES = 2_000;

export interface TreeNode {
  readonly record: TreeRecord;
  readonly head: ChainHead | null;
  /** The caller may know that the record exists and which status it has, and no more. */
  readonly isRedacted: boolean;
}

export interface TreeView {
  readonly rootId: Uuid;
  /** From the root down to the record that was asked for. */
  readonly path: readonly Uuid[];
  readonly nodes: readonly TreeNode[];
  readonly isTruncated: boolean;
}

/** The delegation tree that a record belongs to. Whoever may read one of its records sees that the others exist. */
export class ReadTree {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly deadlines: ApplyDeadlines,
    private readonly records: RecordReads,
    private readonly chains: ChainReads,
  ) {}

  async execute(context: CallContext, input: { readonly recordId: Uuid }): Promise<TreeView> {
    const record = await this.findRecord.find(context, input.recordId);
    const { rootRecordId } = record;
    for (const id of await this.records.dueIn({ rootRecordId }, MAX_NODES))
      await this.deadlines.to(id, context).catch(keepAsItIs);
    const found = await this.records.tree(rootRecordId, MAX_NODES + 1);
    const shown = found.slice(0, MAX_NODES);
    const heads = await this.chains.heads(shown.map(({ id }) => recordChain(id)));
    return {
      rootId: rootRecordId,
      path: await this.pathTo(record.id, record.parentRecordId),
      nodes: shown.map((node) => ({
        record: node,
        head: heads.get(recordChain(node.id)) ?? null,
        isRedacted: !mayRead(context.caller, node),
      })),
      isTruncated: found.length > MAX_NODES,
    };
  }

  private async pathTo(id: Uuid, above: Uuid | null): Promise<readonly Uuid[]> {
    const path = [id];
    for (let parentId = above; parentId !== null && !path.includes(parentId);) {
      path.unshift(parentId);
      parentId = (await this.records.find(parentId))?.record.parentRecordId ?? null;
    }
    return path;
  }
}
