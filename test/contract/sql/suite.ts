import { afterAll, beforeAll } from 'vitest';
import type { DatabaseKind, TestDatabase } from '../../support/databases.ts';

/** A database for the suite that calls this; the getter is good inside tests and hooks. */
export const useDatabase = (kind: DatabaseKind): (() => TestDatabase) => {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await kind.open();
  });
  afterAll(() => database?.drop());
  return () => {
    if (!database) throw new Error('the database is not open yet');
    return database;
  };
};
