import type { Kind } from '../../../application/ports/kinds.ts';
import { INSTANT, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

export const PROVISIONED_ROWS = sealedTable('provisioned_rows', {
  id: column('id', UUID),
  kind: column('kind', oneOf<Kind>()),
  orgSlug: column('org_slug', TEXT),
  name: column('name', TEXT),
  createdAt: column('created_at', INSTANT),
});
