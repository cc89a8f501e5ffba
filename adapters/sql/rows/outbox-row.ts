import type { DomainEvent } from '../../../domain/event/event.ts';
import { INSTANT, json, nullable, oneOf, TEXT, UUID } from './codec.ts';
import { column } from './column.ts';
import { sealedTable } from './sealed-table.ts';

/**
 * The MAC is over all that will be sent and over who may get it. `sequence` is not among the columns: it is NULL until
 * the event is numbered, after its commit.
 */
export const OUTBOX = sealedTable('outbox', {
  id: column('id', UUID),
  type: column('type', oneOf<DomainEvent['type']>()),
  orgId: column('org_id', nullable(UUID)),
  counterpartyOrgId: column('counterparty_org_id', nullable(UUID)),
  recordId: column('record_id', nullable(UUID)),
  recordType: column('record_type', nullable(TEXT)),
  agentId: column('agent_id', nullable(UUID)),
  data: column('data', json<DomainEvent['data']>()),
  createdAt: column('created_at', INSTANT),
});
