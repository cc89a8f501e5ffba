import {
  exportLines,
  recordsOf,
  type ExportView,
} from '../../../application/audit/export-lines.ts';
import { csvRow } from '../csv.ts';
import type { Form } from '../form.ts';

export const NDJSON_EXPORT: Form<ExportView> = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  example: '{"kind":"header","formatVersion":"1.0","canonicalization":"jcs"}\n',
  async *parts(view) {
    for await (const line of exportLines(view)) yield `${JSON.stringify(line)}\n`;
  },
};

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

/** A view for people with a spreadsheet, and no evidence: it holds no keys, and cells that would be formulas are changed. */
export const CSV_EXPORT: Form<ExportView> = {
  name: 'csv',
  mediaType: 'text/csv',
  example: csvRow(COLUMNS),
  async *parts(view) {
    // One record needs no column that says which.
    const isTree = 'records' in view;
    yield csvRow([...(isTree ? ['recordId'] : []), ...COLUMNS]);
    for await (const { chain } of recordsOf(view))
      for await (const entry of chain.entries)
        yield csvRow([
          ...(isTree ? [chain.chainKey] : []),
          ...COLUMNS.map((column) => textOf(entry[column])),
        ]);
  },
};

const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
