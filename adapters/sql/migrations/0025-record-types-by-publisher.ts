import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** Who holds a version on the whole hub: asked at registration, at import, and by anyone who reads a public schema. */
export const up = (knex: Knex): Promise<void> =>
  addIndex(knex, 'record_types', ['publisher', 'type', 'version']);
