// Loaded before the service by --import: the process dies by SIGKILL right before the nth statement that changes the
// database, counted from when the file at KILL_FILE appears, which holds n.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

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

// The class stands in a chunk of the program, which hands it over where it is loaded.
const HOOK = `
  export const load = async (url, context, next) => {
    const loaded = await next(url, context);
    if (!/\\/dist\\/.*\\.js$/.test(url)) return loaded;
    const text = String(loaded.source);
    return /^var SqliteConnection = class/m.test(text)
      ? { ...loaded, source: text + '\\n;globalThis.killAt(SqliteConnection);' }
      : loaded;
  };
`;
globalThis.killAt = (SqliteConnection) => {
  for (const name of ['run', 'all', 'any', 'exec']) {
    const method = SqliteConnection.prototype[name];
    SqliteConnection.prototype[name] = function (sql, ...others) {
      if (isIt(sql)) die();
      return method.call(this, sql, ...others);
    };
  }
};
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

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
