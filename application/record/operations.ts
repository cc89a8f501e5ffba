import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { HASH, IDS } from '../call/example-story.ts';
import { Uuid } from '../call/schemas.ts';
import { ReadTree } from './read-tree.ts';
import { TreeSchema, treeView } from './tree-view.ts';

export const readDelegationChain = operation({
  id: 'readDelegationChain',
  words: {
    summary: 'Read the delegation tree that a record belongs to',
    description:
      'From the root, the nearest to it first, at most 2,000 records. Of records that this credential may not read it shows that they are there, how they stand, and the head of their chain.',
    group: 'Records',
  },
  effect: 'read',
  access: () => ({ scope: 'records:read' }),
  input: Type.Object({ recordId: Uuid }, { additionalProperties: false }),
  output: TreeSchema,
  result: {
    description: 'The tree',
    example: {
      root: IDS.record,
      path: [IDS.record, IDS.child],
      nodes: [
        {
          id: IDS.record,
          parentRecordId: null,
          depth: 0,
          type: 'report.weekly',
          status: 'ACTIVE',
          performerAgentId: IDS.performer,
          principalAgentId: IDS.principal,
          headHash: HASH,
          position: 3,
        },
        {
          id: IDS.child,
          parentRecordId: IDS.record,
          depth: 1,
          status: 'FULFILLED',
          headHash: HASH,
          position: 5,
          redacted: true,
        },
      ],
    },
  },
  useCase: ReadTree,
  view: (tree) => ({ view: treeView(tree) }),
});
