import { BYTES, INTEGER, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const CO_SIGNED_REQUESTS = table('co_signed_requests', {
  id: column('id', UUID),
  body: column('body', BYTES),
});

export const CO_SIGNED_ENTRIES = table('co_signed_entries', {
  chainKey: column('chain_key', TEXT),
  position: column('position', INTEGER),
  requestId: column('request_id', UUID),
});
