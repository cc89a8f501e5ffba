import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrationState } from '../../../adapters/sql/upkeep/migrate.ts';
import { openSqlite } from '../../../adapters/sql/sqlite/sqlite-database.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
  file = join(directory, 'notary.sqlite');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** As a process holds it that makes the file, that ends as the last one, or that restores it. */
const locked = (database: InstanceType<typeof DatabaseSync>): void =>
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (x)');

describe.each([
  ['is new', 'DELETE'],
  ['is in use', 'WAL'],
])('a file that %s and that another one has locked', (_, journal) => {
  it('is waited for, and this process goes on meanwhile', async () => {
    const other = new DatabaseSync(file);
    other.exec(`PRAGMA journal_mode = ${journal}`);
    locked(other);
    const database = openSqlite(file);
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    setTimeout(() => other.exec('COMMIT'), 300).unref();
    setTimeout(() => other.close(), 310).unref();
    const { pending } = await migrationState(database);
    clearInterval(ticking);
    expect(pending.length).toBeGreaterThan(0);
    expect(ticks).toBeGreaterThan(5);
    await database.close();
  });
});
