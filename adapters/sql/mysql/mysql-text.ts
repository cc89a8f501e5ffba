import { columnsOf, type SqlValue, type Table } from '../base/session.ts';

/**
 * A value in the text of a statement. It becomes NULL, digits, or hexadecimal digits, and nothing else: whatever it holds,
 * and whatever the server takes for a quote, it cannot end its literal. So several statements may share one text.
 *
 * @throws RangeError on a number that is none.
 */
export const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`);
    return String(value);
  }
  return typeof value === 'string'
    ? `_utf8mb4 x'${Buffer.from(value, 'utf8').toString('hex')}'`
    : `x'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
};

/**
 * The statement with its values in the place of the question marks.
 *
 * @throws RangeError where there are more or fewer of them.
 */
export const textOf = (sql: string, values: readonly SqlValue[]): string => {
  const parts = sql.split('?');
  if (parts.length !== values.length + 1)
    throw new RangeError(`${values.length} values for ${parts.length - 1} places`);
  let text = parts[0]!;
  for (let at = 0; at < values.length; at++) text += literal(values[at]!) + parts[at + 1]!;
  return text;
};

/**
 * The approximate length of what is sent at once, in characters; the packet limit of the server is 16 MiB or more.
 */
export const MAX_TEXT = 4 * 1024 * 1024;

/** Multi-row inserts. One prepared statement for each number of rows would fill the memory of the server. */
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
