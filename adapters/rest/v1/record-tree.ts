import { Type } from 'typebox';
import type { TreeNode, TreeView } from '../../../application/record/read-tree.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { route, type Route } from '../../http/route.ts';
import { RECORD_TREE } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Sha256, Status, Uuid, nullable } from '../wire.ts';
import { RecordPath } from './record-schemas.ts';

/** How records were delegated, from the root of the tree. */
export const recordTreeRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/records/{id}/chain',
    operationId: 'readDelegationChain',
    summary: 'Read the delegation tree that a record belongs to',
    description:
      'From the root, the nearest to it first, at most 2,000 records. Of records that this credential may not read it shows that they are there, how they stand, and the head of their chain.',
    tag: 'Records',
    access: { scope: 'records:read' },
    params: RecordPath,
    answers: { 200: { description: 'The tree', schema: TreeSchema, example: RECORD_TREE } },
    execute: (context, { params }) => useCases.readTree.execute(context, { recordId: params.id }),
    present: (tree) => ({ status: 200, body: presentTree(tree) }),
  }),
];

const presentTree = ({ rootId, path, nodes, isTruncated }: TreeView): object => ({
  root: rootId,
  path,
  nodes: nodes.map(presentNode),
  ...(isTruncated ? { truncated: true } : {}),
});

const presentNode = ({ record, head, isRedacted }: TreeNode): object => ({
  id: record.id,
  parentRecordId: record.parentRecordId,
  depth: record.depth,
  ...(isRedacted ? {} : { type: record.type }),
  status: record.status,
  ...(isRedacted
    ? {}
    : { performerAgentId: record.performerAgentId, principalAgentId: record.principalAgentId }),
  headHash: head && toHex(head.hash),
  position: head?.position ?? null,
  ...(isRedacted ? { redacted: true } : {}),
});

const NodeSchema = Type.Object({
  id: Uuid,
  parentRecordId: nullable(Uuid),
  depth: Type.Integer({ minimum: 0, description: '0 at the root' }),
  type: Type.Optional(Type.String()),
  status: Status,
  performerAgentId: Type.Optional(nullable(Uuid)),
  principalAgentId: Type.Optional(Uuid),
  headHash: nullable(Sha256),
  position: nullable(Type.Integer({ minimum: 1 })),
  redacted: Type.Optional(
    Type.Boolean({
      description: 'Present, and true, on a record that this credential may not read',
    }),
  ),
});

const TreeSchema = Type.Object({
  root: Uuid,
  path: Type.Array(Uuid, { description: 'From the root down to the record that was asked for' }),
  nodes: Type.Array(NodeSchema),
  truncated: Type.Optional(
    Type.Boolean({ description: 'Present, and true, where the tree has more than 2,000 records' }),
  ),
});
