import { csvRow } from '../../domain/kernel/csv.ts';
import { recordsOf, type ExportView } from './export-lines.ts';

const COLUMNS = [
  'position',
  'entryType',
  'hash',
  'previousHash',
  'signingKeyId',
  'algorithm',
  'createdAt',
  'coseSign1',
  'statement',
  'evidence',
  'content',
  'request',
] as const;

/** The first row. @param isTree whether a column says of which record an entry is: one record needs none. */
export const csvHeader = (isTree: boolean): string =>
  csvRow([...(isTree ? ['recordId'] : []), ...COLUMNS]);

/** A row an entry. */
export async function* csvRows(view: ExportView, isTree: boolean): AsyncGenerator<string> {
  for await (const { chain } of recordsOf(view))
    for await (const entry of chain.entries)
      yield csvRow([
        ...(isTree ? [chain.chainKey] : []),
        ...COLUMNS.map((column) => textOf(entry[column])),
      ]);
}

const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
