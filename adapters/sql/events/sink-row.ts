import type { SinkName } from '../../../application/siem/sink-positions.port.ts';
import { INSTANT, INTEGER, oneOf, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

/** Where each sink is: its last event. */
export const SIEM_SINKS = sealedTable('siem_sinks', {
  id: column('id', UUID),
  name: column('name', oneOf<SinkName>()),
  sequence: column('sequence', INTEGER),
  eventId: column('event_id', UUID),
  numberedAt: column('numbered_at', INSTANT),
});
