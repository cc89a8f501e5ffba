// Loaded before the service by --import: the process dies by SIGKILL right before the nth statement that changes the
// database, counted from when the file at KILL_FILE appears, which holds n.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SqliteConnection } from '../../dist/adapters/sql/dialect/sqlite-connection.js';

const require = createRequire(import.meta.url);
const file = process.env['KILL_FILE'];
const CHANGES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|COMMIT|RELEASE)/i;
let at = 0;
let last = '';

const count = (sql) => {
  // Rows of one table that follow each other count once.
  if (!CHANGES.test(sql) || sql === last || !existsSync(file)) return;
  last = sql;
  if (++at < Number(readFileSync(file, 'utf8'))) return;
  writeFileSync(`${file}.died`, sql.trim().slice(0, 80));
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
};

const counting = (target, name, sqlOf) => {
  const method = target[name];
  target[name] = function (...parameters) {
    count(sqlOf(this, parameters));
    return method.apply(this, parameters);
  };
};

for (const name of ['run', 'all', 'any', 'exec'])
  counting(SqliteConnection.prototype, name, (_, [sql]) => sql);

const text = (_, [statement]) =>
  typeof statement === 'string' ? statement : (statement?.sql ?? '');
const { Connection } = require('mysql2');
for (const name of ['query', 'execute']) counting(Connection.prototype, name, text);
