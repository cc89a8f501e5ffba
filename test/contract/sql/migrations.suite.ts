import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../adapters/sql/migrations/list.ts';
import type { DatabaseKind, TestDatabase } from '../../support/databases.ts';
import { sampleRecord } from './samples.ts';

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
    const ran = async (database: TestDatabase): Promise<unknown[]> =>
      (await database.raw('SELECT name FROM schema_migrations ORDER BY id')).map(
        ({ name }) => name,
      );

    it('run once each, in order, when several processes start at once', () =>
      withEmpty(async (database) => {
        await Promise.all(
          [database.adapter, database.another(), database.another()].map((adapter) =>
            adapter.migrate(),
          ),
        );
        expect(await ran(database)).toEqual(MIGRATIONS.map(({ name }) => name));
        expect(await database.adapter.migrationState()).toEqual({ pending: [], unknown: [] });
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
        // The question finds one.
        await database.raw('CREATE TABLE keyless (a INTEGER)');
        expect(await database.raw(without)).toMatchObject([{ name: 'keyless' }]);
      }));

    it('say what is pending on an empty database, and run again without harm', () =>
      withEmpty(async (database) => {
        expect((await database.adapter.migrationState()).pending).toEqual(
          MIGRATIONS.map(({ name }) => name),
        );
        await database.adapter.migrate();
        const record = sampleRecord();
        await database.adapter.unitOfWork.transaction((stores) => stores.records.insert(record));
        await database.adapter.migrate();
        expect(await database.adapter.reads.records.find(record.id)).not.toBeNull();
      }));

    it('go on after a process died in the middle, with its lock taken and a table made but not noted', () =>
      withEmpty(async (database) => {
        await database.adapter.migrate();
        await database.raw("DELETE FROM schema_migrations WHERE name >= '0011'");
        await database.raw('UPDATE schema_migrations_lock SET is_locked = 1');
        await database.another().migrate();
        expect(await ran(database)).toEqual(MIGRATIONS.map(({ name }) => name));
      }));

    it('refuse a database that is newer than the program, and change nothing', () =>
      withEmpty(async (database) => {
        await database.adapter.migrate();
        await database.raw(
          "INSERT INTO schema_migrations (name, batch) VALUES ('9999-from-the-future', 9)",
        );
        const older = database.another();
        await expect(older.migrate()).rejects.toThrow(
          /newer than this program.*9999-from-the-future/,
        );
        await expect(older.assertNotNewer()).rejects.toThrow('newer');
      }));
  });
};
