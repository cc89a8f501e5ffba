import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SqliteConnection } from '../../../adapters/sql/sqlite/sqlite-connection.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Opens the file, reads it and closes it, as somebody with a shell or a backup tool does. The own driver never closes for good. */
const VISITORS: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ['sqlite3', (file) => [file, 'SELECT count(*) FROM acts']],
  [
    'python3',
    (file) => [
      '-c',
      'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print(db.execute("SELECT count(*) FROM acts").fetchone()[0]); db.close()',
      file,
    ],
  ],
];
const visitor = VISITORS.find(([command]) => spawnSync(command, ['--version']).status === 0);

it.skipIf(!visitor)(
  'another process that opens the file of a running service and closes it takes no commit with it (skipped without sqlite3 and python3)',
  () => {
    const file = join(directory, 'notary.sqlite');
    const writer = new SqliteConnection({ filename: file, readOnly: false });
    writer.exec('CREATE TABLE acts (id INTEGER PRIMARY KEY)');
    const reader = new SqliteConnection({ filename: file, readOnly: true });
    reader.all('SELECT * FROM acts', []);

    const [command, args] = visitor!;
    const { stdout, stderr } = spawnSync(command, args(file), { encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['0', '']);
    expect(existsSync(`${file}-wal`), 'the log of a database in use was deleted').toBe(true);
    writer.run('INSERT INTO acts VALUES (?)', [1]);
    reader.close();
    writer.close();

    const after = new DatabaseSync(file);
    expect(after.prepare('SELECT id FROM acts').all()).toHaveLength(1);
    after.close();
  },
);

it('a new file is for its owner alone', () => {
  const file = join(directory, 'notary.sqlite');
  new SqliteConnection({ filename: file, readOnly: false }).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
