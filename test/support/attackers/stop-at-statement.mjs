// Loaded before the service by --import: the process stops itself by SIGSTOP right before the first statement to MySQL that
// begins with the text in the file at STOP_FILE, after one that begins with its second line, if it has one.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const file = process.env['STOP_FILE'];
let isPrepared = false;

const look = (sql) => {
  if (!existsSync(file)) return;
  const [at, after = ''] = readFileSync(file, 'utf8').split('\n');
  const text = sql.trim();
  if (isPrepared && text.startsWith(at)) {
    rmSync(file);
    // Whoever waits for the file reads it at once.
    writeFileSync(`${file}.said`, text.slice(0, 80));
    renameSync(`${file}.said`, `${file}.stopped`);
    process.kill(process.pid, 'SIGSTOP');
  }
  isPrepared = after === '' || text.startsWith(after);
};

const { Connection } = require('mysql2');
for (const name of ['query', 'execute']) {
  const method = Connection.prototype[name];
  Connection.prototype[name] = function (...parameters) {
    const [statement] = parameters;
    look(typeof statement === 'string' ? statement : (statement?.sql ?? ''));
    return method.apply(this, parameters);
  };
}
