import { closed, COUNT, document, HASH, INSTANT, TEXT } from './predicate-schema-parts.ts';

/**
 * The checkpoint of a record chain states no tree. Every other one states one: of the platform chain the log of checkpoints, of a
 * schema chain the log of its org, of an org's reads their own log. The last is no leaf of the log of checkpoints.
 */
export const VAULT_CHECKPOINT = document('vault-checkpoint', {
  ...closed(
    {
      chainKind: { enum: ['record', 'schema', 'admin', 'org-reads'] },
      chainKey: TEXT,
      position: COUNT,
      headHash: HASH,
      logIndex: COUNT,
      treeSize: COUNT,
      treeRoot: HASH,
      at: INSTANT,
    },
    ['logIndex', 'treeSize', 'treeRoot'],
  ),
  allOf: [
    {
      if: { properties: { chainKind: { const: 'org-reads' } } },
      then: { properties: { logIndex: false } },
      else: { required: ['logIndex'] },
    },
    {
      if: { properties: { chainKind: { const: 'record' } } },
      then: { properties: { treeSize: false, treeRoot: false } },
      else: { required: ['treeSize', 'treeRoot'] },
    },
  ],
});
