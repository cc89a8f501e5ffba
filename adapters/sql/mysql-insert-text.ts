import { escape } from 'mysql2';
import { columnsOf, type SqlValue, type Table } from './session.ts';

/**
 * Multi-row inserts as text. A prepared statement for every number of rows would fill the server's memory, and
 * one for some numbers takes several round trips; numbers and bytes, most of a row, need no escaping at all.
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

/** About this many characters a statement; the server's packet limit is 16 MiB or more. */
const MAX_TEXT = 4 * 1024 * 1024;

const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escape(value);
  return `x'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
};
