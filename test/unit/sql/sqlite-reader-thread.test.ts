import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DatabaseError } from '../../../adapters/sql/base/database-error.ts';
import { SqliteConnection } from '../../../adapters/sql/sqlite/sqlite-connection.ts';
import { SqliteReaderThread } from '../../../adapters/sql/sqlite/sqlite-reader-thread.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';

let directory: string;
let file: string;
let writer: SqliteConnection;
let reader: SqliteReaderThread;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
  file = join(directory, 'notary.sqlite');
  writer = new SqliteConnection({ filename: file, readOnly: false });
  writer.exec('CREATE TABLE acts (id INTEGER PRIMARY KEY, bytes BLOB)');
  reader = new SqliteReaderThread(file);
});
afterEach(async () => {
  await reader.close();
  writer.close();
  rmSync(directory, { recursive: true, force: true });
});

const count = async (): Promise<number> => (await reader.all('SELECT id FROM acts', [])).length;

/** Some seconds of SQLite's own work. */
const SLOW =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT MAX(i) AS last FROM n';

it('sees what is committed, bytes as bytes, and nothing of an open transaction', async () => {
  writer.exec("BEGIN IMMEDIATE; INSERT INTO acts VALUES (1, x'00ff')");
  expect(await count()).toBe(0);
  writer.exec('COMMIT');
  const sql = 'SELECT id, bytes FROM acts WHERE bytes = ?';
  expect(await reader.all(sql, [Uint8Array.of(0, 255)])).toEqual([
    { id: 1, bytes: Uint8Array.of(0, 255) },
  ]);
});

it('writes nothing, and says of a statement that SQLite refuses what the reader of this thread says', async () => {
  for (const sql of ["INSERT INTO acts VALUES (1, x'')", 'SELECT nothing FROM acts'])
    await expect(reader.all(sql, [])).rejects.toThrow(DatabaseError);
  expect(await count()).toBe(0);
});

it('leaves this thread free while it reads for long', async () => {
  await count();
  const gap = await longestGap(async () =>
    expect(await reader.all(SLOW, [3_000_000])).toEqual([{ last: 3_000_000 }]),
  );
  expect(gap).toBeLessThan(100);
});

it('tells whoever waits that it is closed, and whoever comes later', async () => {
  await count();
  const waiting = reader.all(SLOW, [3_000_000]);
  const told = expect(waiting).rejects.toThrow(NotaryError);
  await reader.close();
  await told;
  await expect(count()).rejects.toThrow(NotaryError);
});

it('refuses what would wait behind very many', async () => {
  const all = await Promise.allSettled(Array.from({ length: 65 }, count));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
  expect(all.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect(await count()).toBe(0);
});
