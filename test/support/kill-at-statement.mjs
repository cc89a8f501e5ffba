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

/** Whether this is the statement. */
const isIt = (sql) => {
  // Rows of one table that follow each other count once.
  if (!CHANGES.test(sql) || sql === last || !existsSync(file)) return false;
  last = sql;
  if (++at < Number(readFileSync(file, 'utf8'))) return false;
  writeFileSync(`${file}.died`, sql.trim().slice(0, 80));
  rmSync(file);
  return true;
};

const die = () => process.kill(process.pid, 'SIGKILL');

for (const name of ['run', 'all', 'any', 'exec']) {
  const method = SqliteConnection.prototype[name];
  SqliteConnection.prototype[name] = function (sql, ...others) {
    if (isIt(sql)) die();
    return method.call(this, sql, ...others);
  };
}

const { Connection } = require('mysql2');
const { query } = Connection.prototype;
// Of statements that are sent together the server still gets those before.
Connection.prototype.query = function (statement, ...others) {
  const text = typeof statement === 'string' ? statement : statement.sql;
  const statements = text.split(';\n');
  const place = statements.findIndex(isIt);
  if (place === 0) die();
  if (place > 0) return query.call(this, statements.slice(0, place).join(';\n'), die);
  return query.call(this, statement, ...others);
};
