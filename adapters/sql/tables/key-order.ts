import type { SqlValue } from '../base/session.ts';
import type { Reader } from './reader.ts';

/** Rows in the order of a unique key of several columns. */
export interface KeyOrder {
  /** Up to its WHERE, or up to an AND. */
  readonly select: string;
  readonly columns: readonly string[];
  /** Before all keys. */
  readonly start: readonly SqlValue[];
  /** Rows in a page. */
  readonly limit: number;
}

/** Each page is read as one range of the index for each column: MySQL does not find the place of a row of values in it. */
export async function* inKeyOrder<Row extends Readonly<Record<string, unknown>>>(
  reader: Reader,
  { select, columns, start, limit }: KeyOrder,
): AsyncIterable<readonly Row[]> {
  const ranges = columns.map((column, at) => {
    const equal = columns.slice(0, at).map((name) => `${name} = ?`);
    return `${select} ${[...equal, `${column} > ?`].join(' AND ')} ORDER BY ${columns.slice(at).join(', ')} LIMIT ?`;
  });
  for (let last = start; ;) {
    const page: Row[] = [];
    for (let at = ranges.length - 1; at >= 0 && page.length < limit; at--)
      page.push(
        ...(await reader.all<Row>(ranges[at]!, [...last.slice(0, at + 1), limit - page.length])),
      );
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    last = columns.map((column) => page.at(-1)![column] as SqlValue);
  }
}
