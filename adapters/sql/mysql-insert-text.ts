import { escape } from 'mysql2';
import { columnsOf, type SqlValue, type Table } from './session.ts';

/**
 * Multi-row inserts as text. One prepared statement for each number of rows would fill the memory
 * of the server, and using a few fixed sizes takes several round trips. Numbers and bytes, which
 * make up most of a row, need no escaping.
 */
export const insertTexts = (
  table: Table,
  rows: readonly (readonly SqlValue[])[],
): readonly string[] => {
  const head = `INSERT INTO ${table.name} (${columnsOf(table)}) VALUES `;
  const texts: string[] = [];
  let text = '';
  for (const row of rows) {
    const tuple = `(${row.map(literal).join(',')})`;
    if (text !== '' && text.length + tuple.length > MAX_TEXT) {
      texts.push(text);
      text = '';
    }
    text = text === '' ? head + tuple : `${text},${tuple}`;
  }
  return text === '' ? texts : [...texts, text];
};

/**
 * The approximate length of one statement in characters; the packet limit of the server is 16 MiB
 * or more.
 */
const MAX_TEXT = 4 * 1024 * 1024;

const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escape(value);
  return `x'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
};
