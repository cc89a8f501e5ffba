import type { Knex } from 'knex';
import { makeAppendOnly } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> => makeAppendOnly(knex, 'completion_times');
