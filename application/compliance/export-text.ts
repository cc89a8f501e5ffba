import { jsonLine } from '../../domain/kernel/json-line.ts';
import { jsonParts } from '../call/streamed-view.ts';
import type { ExportView } from '../audit/export-lines.ts';
import { csvHeader, csvRows } from '../audit/export-csv.ts';
import type { ExportFormat } from '../ports/compliance-export.ts';

interface FormatRow {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  text(view: ExportView): AsyncIterable<string>;
}

async function* lineParts(view: ExportView): AsyncGenerator<string> {
  for await (const part of jsonParts(view)) yield jsonLine(part);
}

/** The text of an export of many records, by its format. */
export const EXPORT_TEXTS: { readonly [format in ExportFormat]: FormatRow } = {
  // Each line is the export of one record, as the verifier takes it.
  ndjson: { before: '', between: '\n', after: '\n', text: lineParts },
  json: { before: '[', between: ',\n', after: ']\n', text: jsonParts },
  csv: { before: csvHeader(true), between: '', after: '', text: (view) => csvRows(view, true) },
};
