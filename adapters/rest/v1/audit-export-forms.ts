import { csvHeader, csvRows } from '../../../application/audit/export-csv.ts';
import { exportLines, type ExportView } from '../../../application/audit/export-lines.ts';
import type { Form } from '../form.ts';

export const NDJSON_EXPORT: Form<ExportView> = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  example: '{"kind":"header","formatVersion":"1.0","canonicalization":"jcs"}\n',
  async *parts(view) {
    for await (const line of exportLines(view)) yield `${JSON.stringify(line)}\n`;
  },
};

/** A view for people with a spreadsheet, and no evidence: it holds no keys, and cells that would be formulas are changed. */
export const CSV_EXPORT: Form<ExportView> = {
  name: 'csv',
  mediaType: 'text/csv',
  example: csvHeader(false),
  async *parts(view) {
    const isTree = 'records' in view;
    yield csvHeader(isTree);
    yield* csvRows(view, isTree);
  },
};
