import { closed, COUNT, document, HASH, INSTANT, TEXT } from './predicate-schema-parts.ts';

export const VAULT_CHECKPOINT = document(
  'vault-checkpoint',
  closed(
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
);
