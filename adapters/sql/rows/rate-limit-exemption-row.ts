import { INSTANT, INTEGER, UUID } from './codec.ts';
import { column } from './column.ts';
import { sealedTable } from './sealed-table.ts';
import { versionedById } from './versioned.ts';

/** The id is not that of the owner: the versions of both are sealed by id. */
export const RATE_LIMIT_EXEMPTIONS = sealedTable(
  'rate_limit_exemptions',
  {
    id: column('id', UUID),
    ownerId: column('owner_id', UUID),
    createdAt: column('created_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  versionedById,
);
