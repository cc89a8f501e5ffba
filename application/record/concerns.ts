import type { RecordState } from '../../domain/record/record-state.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Concerned } from '../call/operation.ts';
import type { TreeView } from './read-tree.ts';

interface OfRecord {
  readonly record: Pick<RecordState, 'orgId' | 'performerOrgId'>;
}

/** The orgs of both sides: what is read of a record is the data of either. */
export const orgsOf = ({ record }: OfRecord): readonly (Uuid | null)[] => [
  record.orgId,
  record.performerOrgId,
];

export const concernsRecord = (result: OfRecord): Concerned => ({ orgs: orgsOf(result) });

/** Those of the records of a tree that are shown whole. */
export const concernsTree = ({ nodes }: TreeView): Concerned => ({
  orgs: nodes.flatMap((node) => (node.isRedacted ? [] : orgsOf(node))),
});
