import { closed, COUNT, document, HASH, INSTANT, TEXT } from './predicate-schema-parts.ts';

/** A checkpoint of an org's reads is no leaf of the log of checkpoints, and says what its own tree is. */
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
  dependentRequired: { treeSize: ['treeRoot'], treeRoot: ['treeSize'] },
  if: { properties: { chainKind: { const: 'org-reads' } } },
  then: { properties: { logIndex: false }, required: ['treeSize', 'treeRoot'] },
  else: { required: ['logIndex'] },
});
