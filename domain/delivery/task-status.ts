import type { DomainEvent } from '../event/event.ts';
import type { EventType } from '../event/event-types.ts';
import { RECORD_EVENT_TYPES } from '../record/lifecycle.ts';
import { STATUSES, type RecordStatus } from '../record/record-status.ts';

/** The types of events that tell how a record stands. A signal repeats what the event before it told. */
export const TASK_EVENT_TYPES: readonly EventType[] = RECORD_EVENT_TYPES.filter(
  (type) => type !== 'record.reference_added' && type !== 'signal.emitted',
);

/** How the record stood after what an event tells, where it tells that. */
export const taskStatusIn = ({
  type,
  data,
}: Pick<DomainEvent, 'type' | 'data'>): RecordStatus | null =>
  TASK_EVENT_TYPES.includes(type)
    ? (STATUSES.find((status) => status === data['status']) ?? null)
    : null;
