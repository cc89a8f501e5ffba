import type { Kind } from '../../../application/provisioning/kinds.ts';
import { INSTANT, oneOf, TEXT, UUID } from './codec.ts';
import { column } from './column.ts';
import { sealedTable } from './sealed-table.ts';

export const PROVISIONED_ROWS = sealedTable('provisioned_rows', {
  id: column('id', UUID),
  kind: column('kind', oneOf<Kind>()),
  orgSlug: column('org_slug', TEXT),
  name: column('name', TEXT),
  createdAt: column('created_at', INSTANT),
});
