import { exemptionKey } from '../../../domain/identity/rate-limit-exemption.ts';
import { uuidFromSql } from '../base/values.ts';
import { INSTANT, INTEGER, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

export const RATE_LIMIT_EXEMPTIONS = sealedTable(
  'rate_limit_exemptions',
  {
    ownerId: column('owner_id', UUID),
    createdAt: column('created_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  {
    key: 'owner_id',
    revision: ({ owner_id: ownerId, row_version: version }) => ({
      id: exemptionKey(uuidFromSql(ownerId as Uint8Array)),
      version: Number(version),
    }),
  },
);
