import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMysql, type MysqlDatabase } from '../../adapters/sql/mysql/mysql-database.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';

const MAX_SILENCE_S = 1;
const LOCKED = "SELECT value FROM locks WHERE name = 'checkpoint-log' FOR UPDATE";
const SILENCE = 'SELECT @@SESSION.wait_timeout AS seconds';

const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('on MySQL a connection that says nothing', () => {
  let database: TestDatabase;
  let one: MysqlDatabase;
  let other: MysqlDatabase;

  beforeAll(async () => {
    database = await mysql!.open();
    one = openMysql(database.url, 1, MAX_SILENCE_S);
    other = openMysql(database.url, 1);
  });
  afterAll(async () => {
    await one?.close();
    await other?.close();
    await database?.drop();
  });

  it('in a transaction loses its locks, as that of a process that is frozen, and is told', async () => {
    const silent = await one.begin();
    await silent.all(LOCKED, []);
    const waiting = await other.begin();
    // It waits for a lock for 5 s at most.
    await waiting.all(LOCKED, []);
    await waiting.rollback();
    await expect(silent.all(LOCKED, [])).rejects.toMatchObject({ name: 'ConnectionLostError' });
    await silent.rollback();
  });

  it('between two calls is replaced before anybody hears of it', async () => {
    for (let tries = 0; tries < 3; tries++) {
      expect(await one.read.all(SILENCE, [])).toEqual([{ seconds: MAX_SILENCE_S }]);
      await sleep(MAX_SILENCE_S * 1_500);
    }
  });

  it('in a snapshot is let be, as while somebody reads an export slowly, and is bounded again afterwards', async () => {
    const rows = await one.snapshot(async (reader) => {
      await reader.all(SILENCE, []);
      await sleep(MAX_SILENCE_S * 2_500);
      return reader.all('SELECT name FROM locks', []);
    });
    expect(rows).not.toEqual([]);
    expect(await one.read.all(SILENCE, [])).toEqual([{ seconds: MAX_SILENCE_S }]);
  });
});
