import type { Sum } from '../../../application/ports/sums.ts';
import { INSTANT, json, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

/** What each process counted, until it is told. */
export const EVENT_SUMS = sealedTable('event_sums', {
  id: column('id', UUID),
  sums: column('sums', json<readonly Sum[]>()),
  createdAt: column('created_at', INSTANT),
});
