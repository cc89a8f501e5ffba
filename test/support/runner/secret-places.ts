import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { meaningsOf } from '../databases/stored-values.ts';
import type { SecretWatch } from './secret-watch.ts';

const CHUNK_BYTES = 1024 * 1024;
const SQLITE = Buffer.from('SQLite format 3\0');

type Rows = (
  sql: string,
) =>
  | Iterable<Readonly<Record<string, unknown>>>
  | Promise<Iterable<Readonly<Record<string, unknown>>>>;

/** Shows every file of a folder, databases with their logs among them; and of each database the values, which may lie apart in its pages. */
export const seeFolder = async (watch: SecretWatch, folder: string): Promise<void> => {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const content = readFileSync(file);
    watch.see(`the file ${file.slice(folder.length + 1)}`, content);
    if (content.subarray(0, SQLITE.length).equals(SQLITE)) await seeSqlite(watch, file);
  }
};

export const seeSqlite = async (watch: SecretWatch, file: string): Promise<void> => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows: Rows = (sql) =>
      database.prepare(sql).iterate() as Iterable<Record<string, unknown>>;
    await seeTables(
      watch,
      [
        ...(rows("SELECT name FROM sqlite_master WHERE type = 'table'") as Iterable<
          Record<string, unknown>
        >),
      ].map(({ name }) => String(name)),
      rows,
      '"',
    );
  } finally {
    database.close();
  }
};

/** Shows the tables of a MySQL database. */
export const seeMysql = async (watch: SecretWatch, rows: Rows): Promise<void> => {
  const tables = [...(await rows('SHOW TABLES'))].map((row) => String(Object.values(row)[0]));
  await seeTables(watch, tables, rows, '`');
};

const seeTables = async (
  watch: SecretWatch,
  tables: readonly string[],
  rows: Rows,
  quote: string,
): Promise<void> => {
  for (const table of tables) {
    let parts: Uint8Array[] = [];
    let bytes = 0;
    const flush = (): void => {
      watch.see(`the table ${table}`, Buffer.concat(parts));
      parts = [];
      bytes = 0;
    };
    for (const row of await rows(`SELECT * FROM ${quote}${table}${quote}`)) {
      for (const value of Object.values(row)) {
        for (const part of meaningsOf(value)) {
          parts.push(part, NEXT);
          bytes += part.length;
        }
      }
      if (bytes > CHUNK_BYTES) flush();
    }
    flush();
  }
};

const NEXT = Buffer.from('\n');
