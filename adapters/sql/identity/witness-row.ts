import type { Curve } from '../../../domain/identity/agent-public-key.ts';
import { BYTES, INSTANT, INTEGER, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column, group } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { versionedById } from '../tables/versioned.ts';

export const WITNESSES = sealedTable(
  'witnesses',
  {
    witnessKeyId: column('id', UUID),
    name: column('name', TEXT),
    key: group({ curve: column('curve', oneOf<Curve>()), raw: column('public_key', BYTES) }),
    createdAt: column('created_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  versionedById,
);
