import { expect, it } from 'vitest';
import { SqliteConnection } from '../../../adapters/sql/sqlite/sqlite-connection.ts';

it.each(['LIMIT ?', 'limit ? offset 0', 'LIMIT ? -- of a page'])(
  'a statement is planned once, whatever its limit: %s',
  (limit) => {
    const connection = new SqliteConnection({ filename: ':memory:', readOnly: false });
    connection.exec('CREATE TABLE acts (id INTEGER PRIMARY KEY, at INTEGER)');
    for (let id = 1; id <= 5; id++) connection.run('INSERT INTO acts VALUES (?, ?)', [id, 10 - id]);
    let plannings = 0;
    // SQLite asks whether a statement may read what it reads whenever it plans it.
    connection.database.setAuthorizer((action) => {
      if (action === SELECT) plannings++;
      return 0;
    });
    const ids = (count: number): readonly unknown[] =>
      connection
        .all(`SELECT id FROM acts WHERE at > ? ORDER BY at ${limit}`, [5, count])
        .map((row) => (row as { readonly id: unknown }).id);
    expect(ids(1)).toEqual([4]);
    const once = plannings;
    expect([ids(3), ids(0), ids(2), ids(9)]).toEqual([[4, 3, 2], [], [4, 3], [4, 3, 2, 1]]);
    expect(once).toBeGreaterThan(0);
    expect(plannings).toBe(once);
    connection.close();
  },
);

/** SQLITE_SELECT (sqlite.org/c3ref/c_alter_table.html). */
const SELECT = 21;
