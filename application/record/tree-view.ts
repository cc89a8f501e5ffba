import { Type, type Static } from 'typebox';
import { toHex } from '../../domain/kernel/digest.ts';
import { Sha256, Status, Uuid, nullable } from '../call/schemas.ts';
import type { TreeNode, TreeView } from './read-tree.ts';

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

export const TreeSchema = Type.Object({
  root: Uuid,
  path: Type.Array(Uuid, { description: 'From the root down to the record that was asked for' }),
  nodes: Type.Array(NodeSchema),
  truncated: Type.Optional(
    Type.Boolean({ description: 'Present, and true, where the tree has more than 2,000 records' }),
  ),
});

export const treeView = ({
  rootId,
  path,
  nodes,
  isTruncated,
}: TreeView): Static<typeof TreeSchema> => ({
  root: rootId,
  path: [...path],
  nodes: nodes.map(nodeView),
  ...(isTruncated ? { truncated: true } : {}),
});

const nodeView = ({ record, head, isRedacted }: TreeNode): Static<typeof NodeSchema> => ({
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
