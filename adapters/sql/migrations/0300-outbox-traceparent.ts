import type { Knex } from 'knex';
import { addColumn } from '../create-table.ts';

/** Where in a trace the call stood that caused an event; null where it was not traced. */
export const up = (knex: Knex): Promise<void> => addColumn(knex, 'outbox', 'traceparent?', 'key');
