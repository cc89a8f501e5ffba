import { describe, expect, it } from 'vitest';
import { exactCollation } from '../../../adapters/sql/schema/exact-collation.ts';
import { MIGRATIONS, SCHEMA_NAME } from '../../../adapters/sql/schema/migrations.ts';
import { createSchema } from '../../../adapters/sql/schema/schema.ts';
import type { DatabaseKind, TestDatabase } from '../../support/databases/databases.ts';
import { sampleRecord } from './samples.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

/** Everything that migrations create, one line each: columns, indexes, triggers, foreign keys and first rows. */
const schemaOf = async ({ kind, raw }: TestDatabase): Promise<readonly string[]> => {
  const queries =
    kind === 'sqlite'
      ? ['SELECT type, name, sql FROM sqlite_master ORDER BY name']
      : [
          'SELECT table_name, column_name, ordinal_position, column_type, is_nullable, collation_name FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position',
          'SELECT table_name, index_name, seq_in_index, column_name, sub_part, non_unique FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index',
          'SELECT trigger_name, event_object_table, action_statement FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY trigger_name',
          'SELECT constraint_name, table_name, referenced_table_name FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE() ORDER BY constraint_name',
        ];
  const found = [];
  for (const sql of queries) found.push(...(await raw(sql)));
  const hasLocks = found.some((row) => Object.values(row).includes('locks'));
  if (hasLocks) found.push(...(await raw('SELECT name FROM locks ORDER BY name')));
  return found.map((row) => JSON.stringify(row));
};

export const migrationsSuite = (kind: DatabaseKind): void => {
  describe(`migrations on ${kind.name}`, () => {
    const withEmpty = async (test: (database: TestDatabase) => Promise<void>): Promise<void> => {
      const database = await kind.open({ migrated: false });
      try {
        await test(database);
      } finally {
        await database.drop();
      }
    };
    const ran = async (database: TestDatabase): Promise<readonly unknown[]> =>
      (await database.raw('SELECT name FROM schema_migrations ORDER BY name')).map(
        ({ name }) => name,
      );

    it('create the schema once when several processes start at the same time', () =>
      withEmpty(async (database) => {
        await Promise.all(
          [database.adapter, database.another(), database.another()].map((adapter) =>
            adapter.migrate(),
          ),
        );
        expect(await ran(database)).toEqual(NAMES);
        expect(await database.adapter.migrationState()).toEqual({
          pending: [],
          unknown: [],
          refusal: null,
        });
      }));

    it('give every table a primary key: without one, group replication and Galera take no row of it', () =>
      withEmpty(async (database) => {
        await database.adapter.migrate();
        const without =
          kind.name === 'mysql'
            ? `SELECT t.table_name AS name FROM information_schema.tables t
               WHERE t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE' AND NOT EXISTS (
                 SELECT 1 FROM information_schema.table_constraints c
                 WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name
                   AND c.constraint_type = 'PRIMARY KEY')`
            : `SELECT name FROM sqlite_schema s WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
               AND NOT EXISTS (SELECT 1 FROM pragma_table_info(s.name) WHERE pk > 0)`;
        expect(await database.raw(without)).toEqual([]);
        // The query finds one.
        await database.raw('CREATE TABLE keyless (a INTEGER)');
        expect(await database.raw(without)).toMatchObject([{ name: 'keyless' }]);
      }));

    it.each([
      ['a table of another program', 'customers', 'CREATE TABLE customers (x INTEGER)'],
      [
        'the migrations of another program',
        'schema_migrations',
        'CREATE TABLE schema_migrations (version INTEGER)',
      ],
    ])('refuse a database that holds %s, and write nothing into it', (_, name, create) =>
      withEmpty(async (database) => {
        await database.raw(create);
        const before = await schemaOf(database);
        const said = new RegExp(`holds tables of another program, such as ${name}, and none of a`);
        await expect(database.adapter.migrate()).rejects.toThrow(said);
        await expect(database.another().assertKnownSchema()).rejects.toThrow(said);
        expect((await database.adapter.migrationState()).refusal?.kind).toBe('foreign');
        expect(await schemaOf(database)).toEqual(before);
      }),
    );

    it('report the schema as pending on an empty database, and change nothing the second time', () =>
      withEmpty(async (database) => {
        expect((await database.adapter.migrationState()).pending).toEqual(NAMES);
        await database.adapter.migrate();
        const record = sampleRecord();
        await database.adapter.unitOfWork.transaction((stores) => stores.records.insert(record));
        const before = await schemaOf(database);
        await database.another().migrate();
        expect(await database.adapter.reads.records.find(record.id)).not.toBeNull();
        expect(await schemaOf(database)).toEqual(before);
      }));

    it.runIf(kind.name === 'mysql')(
      'complete the schema after a process died anywhere in the middle',
      () =>
        withEmpty(async (whole) => {
          await whole.adapter.migrate();
          const expected = await schemaOf(whole);
          const statements = createSchema({
            database: 'mysql',
            collation: await exactCollation((sql) => whole.raw(sql)),
          });
          const between = statements.findLastIndex((sql) => sql.startsWith('CREATE TRIGGER'));
          for (const cut of [1, between, statements.length])
            await withEmpty(async (database) => {
              await database.raw(
                'CREATE TABLE schema_migrations (name VARCHAR(64) NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (name)) COLLATE utf8mb4_bin',
              );
              for (const sql of statements.slice(0, cut)) await database.raw(sql);
              expect((await database.adapter.migrationState()).pending).toEqual(NAMES);
              await database.another().migrate();
              expect(await ran(database)).toEqual(NAMES);
              const own = (lines: readonly string[]): readonly string[] =>
                lines.filter((line) => !line.includes('schema_migrations'));
              expect(own(await schemaOf(database))).toEqual(own(expected));
            });
        }),
    );

    it.runIf(kind.name === 'sqlite')('create everything in one transaction, or nothing', () =>
      withEmpty(async (database) => {
        const last = createSchema({ database: 'sqlite' }).at(-1)!;
        const [, index] = /INDEX IF NOT EXISTS (\w+)/.exec(last)!;
        await database.raw(`CREATE VIEW ${index} AS SELECT 1`);
        const before = await schemaOf(database);
        await expect(database.adapter.migrate()).rejects.toThrow(
          /^The database cannot be migrated: .*already/,
        );
        expect(await schemaOf(database)).toEqual(before);
        await database.raw(`DROP VIEW ${index}`);
        await database.adapter.migrate();
        expect(await ran(database)).toEqual(NAMES);
      }),
    );

    const refuses = async (database: TestDatabase, message: RegExp): Promise<void> => {
      const before = [
        await schemaOf(database),
        await database.raw('SELECT * FROM schema_migrations'),
      ];
      for (const adapter of [database.adapter, database.another()]) {
        await expect(adapter.migrate()).rejects.toThrow(message);
        await expect(adapter.assertKnownSchema()).rejects.toThrow(message);
      }
      expect((await database.adapter.migrationState()).refusal?.sentence).toMatch(message);
      expect([
        await schemaOf(database),
        await database.raw('SELECT * FROM schema_migrations'),
      ]).toEqual(before);
    };

    it('refuse a database that is newer than the program, and write nothing', () =>
      withEmpty(async (database) => {
        await database.adapter.migrate();
        await database.raw(
          "INSERT INTO schema_migrations (name, applied_at) VALUES ('9999-from-the-future', 0)",
        );
        await refuses(database, /newer than this program: it has run 9999-from-the-future\. Start/);
      }));

    it('refuse a database of one of the builds with 118 migrations, name its last one, and write nothing', () =>
      withEmpty(async (database) => {
        await database.raw(
          'CREATE TABLE schema_migrations (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(255), batch INTEGER, migration_time TIMESTAMP NULL)',
        );
        await database.raw(
          "INSERT INTO schema_migrations (id, name, batch) VALUES (1, '0001-instance', 1), (2, '0360-leaves-by-block', 1), (3, '0002-locks', 1)",
        );
        await refuses(
          database,
          /^This database was made by a build before 0\.1\.0 \(its last migration is 0360-leaves-by-block\)\. .*empty database/,
        );
      }));

    it('refuse a database that another build before 0.1.0 made with another schema, name it, and write nothing', () =>
      withEmpty(async (database) => {
        await database.adapter.migrate();
        await database.raw("UPDATE schema_migrations SET name = '0001-schema-0123abcd'");
        await refuses(
          database,
          new RegExp(
            `made by a build before 0\\.1\\.0 \\(its schema is 0001-schema-0123abcd, and this program makes ${SCHEMA_NAME}\\)`,
          ),
        );
      }));
  });
};
