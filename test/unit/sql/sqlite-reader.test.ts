import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SqliteConnection } from '../../../adapters/sql/sqlite/sqlite-connection.ts';
import { SqliteReader } from '../../../adapters/sql/sqlite/sqlite-reader.ts';

let directory: string;
let file: string;
let writer: SqliteConnection;
let reader: SqliteReader;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
  file = join(directory, 'notary.sqlite');
  writer = new SqliteConnection({ filename: file, readOnly: false });
  writer.exec('CREATE TABLE acts (id INTEGER PRIMARY KEY)');
  reader = new SqliteReader(file);
});
afterEach(async () => {
  await reader.close();
  writer.close();
  rmSync(directory, { recursive: true, force: true });
});

const count = async (): Promise<number> => (await reader.all('SELECT id FROM acts', [])).length;

it('sees what is committed, and nothing of an open transaction', async () => {
  writer.exec('BEGIN IMMEDIATE; INSERT INTO acts VALUES (1)');
  expect(await count()).toBe(0);
  writer.exec('COMMIT');
  expect(await count()).toBe(1);
});

it('writes nothing', async () => {
  await expect(reader.all('INSERT INTO acts VALUES (1)', [])).rejects.toThrow();
  expect(await count()).toBe(0);
});

it('opens once for those who come at the same time, and says so', async () => {
  expect(reader.state()).toEqual({ used: 0, free: 0, waiting: 0 });
  const all = [count(), count(), count()];
  // On a slow machine the first opening takes the share of this turn, and the others are not looked at before the next.
  expect(reader.state()).toMatchObject({ used: 0, free: 0 });
  expect(reader.state().waiting).toBeGreaterThan(0);
  await Promise.all(all);
  expect(reader.state()).toEqual({ used: 0, free: 1, waiting: 0 });
});

it('waits for another process, and this one goes on meanwhile', async () => {
  writer.close();
  const other = new SqliteConnection({ filename: file, readOnly: false });
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO acts VALUES (1)');
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 10);
  setTimeout(() => {
    other.exec('COMMIT');
    other.close();
  }, 200);
  expect(await count()).toBe(1);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(3);
});

it('leaves turns to others while one reads on and on, and answers in the order of asking', async () => {
  await count();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 1);
  while (ticks < 5) await count();
  clearInterval(ticking);
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 5_000 }, (_, at) => count().then(() => void order.push(at))),
  );
  expect(order).toEqual([...order.keys()]);
});

it('a fault of a statement is the own error of the adapter, and the next statement is answered', async () => {
  await expect(reader.all('SELECT nothing FROM acts', [])).rejects.toMatchObject({
    name: 'DatabaseError',
  });
  await count();
  await expect(reader.all('SELECT nothing FROM acts', [])).rejects.toMatchObject({
    name: 'DatabaseError',
  });
  expect(await count()).toBe(0);
});

it('a file that cannot be opened is unavailable', async () => {
  const later = new SqliteReader(join(directory, 'later', 'notary.sqlite'));
  await expect(later.all('SELECT 1', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await later.close();
});

it('answers nothing any more once it is closed', async () => {
  await count();
  await reader.close();
  await expect(count()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(reader.state()).toEqual({ used: 0, free: 0, waiting: 0 });
});

it('lets nobody wait long who reads a few times while others read on and on', async () => {
  const COUNT_FAR =
    'WITH RECURSIVE far(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM far WHERE n < 5000) SELECT COUNT(*) FROM far';
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let isOver = false;
  let turns = 0;
  const endless = [1, 2, 3].map(async () => {
    while (!isOver) await reader.all(COUNT_FAR, []);
  });
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  // From a turn of its own, as a call comes.
  for (let i = 0; i < 5; i++) await nextTurn();
  const before = turns;
  for (let i = 0; i < 10; i++) await count();
  const meanwhile = turns - before;
  isOver = true;
  await Promise.all([...endless, counting]);
  // At worst each of the four reads fills a turn.
  expect(meanwhile).toBeLessThanOrEqual(10 * 4 + 1);
});
