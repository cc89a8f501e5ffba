import type { DomainEvent } from '../../../domain/event/event.ts';
import type { SqlValue } from '../session.ts';
import { jsonToSql, orNull, timeToSql, uuidToSql } from '../values.ts';
import { table } from './tables.ts';

/** `sequence` is not among them: it is null until the event is numbered, after its commit. */
export const OUTBOX = table('outbox', [
  'id',
  'type',
  'org_id',
  'counterparty_org_id',
  'record_id',
  'record_type',
  'agent_id',
  'data',
  'created_at',
]);

export const eventToRow = (event: DomainEvent): readonly SqlValue[] => [
  uuidToSql(event.id),
  event.type,
  orNull(event.orgId, uuidToSql),
  orNull(event.counterpartyOrgId, uuidToSql),
  orNull(event.recordId, uuidToSql),
  event.recordType,
  orNull(event.agentId, uuidToSql),
  jsonToSql(event.data),
  timeToSql(event.createdAt),
];
