import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { mayRead } from '../../domain/record/sides.ts';
import { orgsOf } from '../record/concerns.ts';
import type { CallContext } from '../call/call-context.ts';

/** The largest tree of which a part is exported, in records. */
export const MAX_EXPORTED_TREE = 2_000;

export interface Subtree {
  /** The nearest to the record first; without the record itself. */
  readonly ids: readonly Uuid[];
  /** Whose data they are. */
  readonly orgs: readonly (Uuid | null)[];
  /** How many are left out. */
  readonly omitted: number;
}

/** The records below a record, as far as a caller may read them. */
export class ReadableSubtree {
  constructor(private readonly records: Pick<RecordReads, 'tree'>) {}

  /** @throws NotaryError UNPROCESSABLE where the tree is too large. */
  async below(
    { caller }: CallContext,
    { id, rootRecordId }: Pick<RecordState, 'id' | 'rootRecordId'>,
  ): Promise<Subtree> {
    const tree = await this.records.tree(rootRecordId, MAX_EXPORTED_TREE + 1);
    if (tree.length > MAX_EXPORTED_TREE) throw tooLarge();
    const inside = new Set([id]);
    // Whoever stands nearer to the root comes first, so a parent is known before its children.
    const below = tree.filter((one) => {
      const isBelow = one.parentRecordId !== null && inside.has(one.parentRecordId);
      if (isBelow) inside.add(one.id);
      return isBelow;
    });
    const readable = below.filter((one) => mayRead(caller, one));
    return {
      ids: readable.map((one) => one.id),
      orgs: readable.flatMap((record) => orgsOf({ record })),
      omitted: below.length - readable.length,
    };
  }
}

const tooLarge = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The tree of this record has more than ${MAX_EXPORTED_TREE} records, the most that one export is made of.`,
    {
      suggestion:
        'Export the records one by one, without subtree=true. GET …/delegation-tree lists them.',
    },
  );
