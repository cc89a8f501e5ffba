import { describe, expect, it } from 'vitest';
import * as agentKeys from '../../../adapters/sql/identity/agent-key-row.ts';
import * as certificates from '../../../adapters/sql/identity/certificate-row.ts';
import * as chains from '../../../adapters/sql/vault/chain-row.ts';
import * as coSigned from '../../../adapters/sql/vault/co-signed-row.ts';
import * as contents from '../../../adapters/sql/records/content-row.ts';
import * as completions from '../../../adapters/sql/records/completion-row.ts';
import * as disputes from '../../../adapters/sql/records/dispute-row.ts';
import * as idempotency from '../../../adapters/sql/idempotency/idempotency-row.ts';
import * as identity from '../../../adapters/sql/identity/identity-row.ts';
import * as outbox from '../../../adapters/sql/events/outbox-row.ts';
import * as recordTypes from '../../../adapters/sql/record-types/record-type-row.ts';
import * as records from '../../../adapters/sql/records/record-row.ts';
import * as references from '../../../adapters/sql/records/reference-row.ts';
import * as secretChecks from '../../../adapters/sql/upkeep/secret-check-row.ts';
import { MappedTable } from '../../../adapters/sql/tables/tables.ts';
import * as vault from '../../../adapters/sql/vault/vault-row.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { useDatabase } from './suite.ts';

const TABLES = [
  agentKeys,
  certificates,
  chains,
  coSigned,
  completions,
  contents,
  disputes,
  idempotency,
  identity,
  outbox,
  recordTypes,
  records,
  references,
  secretChecks,
  vault,
]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value) => value instanceof MappedTable);

/** The map and the schema declare the same columns: one that the map forgot fails here, and not at the first NULL. */
export const columnMapsSuite = (kind: DatabaseKind): void => {
  describe(`column maps on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('every mapped table is found', () => {
      expect(TABLES.length).toBeGreaterThanOrEqual(25);
    });

    it.each(TABLES.map((table) => [table.name, table] as const))(
      '%s: each column is there once, and may be NULL in both or in neither',
      async (name, table) => {
        const columns = await database().raw(
          kind.name === 'mysql'
            ? `SELECT column_name AS name, is_nullable = 'NO' AS required FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = '${name}'`
            : `SELECT name, "notnull" AS required FROM pragma_table_info('${name}')`,
        );
        const found = columns.map(
          (column) => `${String(column['name'])}${Number(column['required']) ? '' : ' NULL'}`,
        );
        const mapped = table.columns.map(
          (column) => `${column}${table.nullable.has(column) ? ' NULL' : ''}`,
        );
        expect(mapped.toSorted()).toEqual(found.toSorted());
      },
    );
  });
};
