import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SCHEMA_NAME } from '../../../adapters/sql/schema/migrations.ts';
import { createSchema, TABLES } from '../../../adapters/sql/schema/schema.ts';

const SQLITE = createSchema({ database: 'sqlite' });
const MYSQL = createSchema({ database: 'mysql', collation: 'exact' });

describe('the schema', () => {
  it('has the name that SCHEMA_NAME says: before 0.1.0 put the new one there, afterwards add a migration instead', () => {
    const digest = createHash('sha256')
      .update([...SQLITE, ...MYSQL].join(';\n'))
      .digest('hex');
    expect(SCHEMA_NAME).toBe(`0001-schema-${digest.slice(0, 8)}`);
  });

  it('creates each table after the tables that it references', () => {
    const created = new Set<string>();
    for (const { name, references = [] } of TABLES) {
      expect(created).not.toContain(name);
      for (const { table } of references) expect(created).toContain(table);
      created.add(name);
    }
  });

  it.each([
    ['SQLite', SQLITE],
    ['MySQL', MYSQL],
  ])('gives no name twice on %s, and none that MySQL cuts', (_, statements) => {
    const names = statements.flatMap(
      (sql) =>
        /^CREATE (?:TABLE|TRIGGER|(?:UNIQUE )?INDEX)(?: IF NOT EXISTS)? (\w+)/.exec(sql)?.[1] ?? [],
    );
    expect(names.length).toBeGreaterThan(TABLES.length);
    expect(names.filter((name, i) => names.indexOf(name) !== i || name.length > 64)).toEqual([]);
  });
});
