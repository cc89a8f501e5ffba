import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';
import type { DumpFile } from '../../../domain/verification/dump/rows/dump-rows.ts';
import type { FailureClass } from '../../../domain/verification/report/failure.ts';
import { textOf, rowsOf, type DumpTexts } from './dump-files.ts';

/** One change of a dump, made by somebody who has no key. */
export interface Mutation {
  readonly name: string;
  readonly texts: Partial<Record<DumpFile, string | Uint8Array>>;
}

/** What a row that cannot be read is called. */
export const undecoded = (file: DumpFile): FailureClass =>
  file.endsWith('checkpoints') ? 'CHECKPOINT_DECODE_FAILED' : 'CHAIN_COSE_DECODE_FAILED';

/** The dump with the rows of one file changed. */
export const withRows = (
  texts: DumpTexts,
  file: DumpFile,
  change: (rows: JsonObject[]) => readonly JsonObject[],
): DumpTexts => ({ ...texts, [file]: textOf(change(rowsOf(texts[file]))) });

/** With one row changed. */
export const withRow = (
  texts: DumpTexts,
  file: DumpFile,
  index: number,
  change: (row: JsonObject) => JsonObject,
): DumpTexts =>
  withRows(texts, file, (rows) => rows.map((row, at) => (at === index ? change(row) : row)));

export const withoutRow = (texts: DumpTexts, file: DumpFile, index: number): DumpTexts =>
  withRows(texts, file, (rows) => rows.toSpliced(index, 1));

export const withRowTwice = (texts: DumpTexts, file: DumpFile, index: number): DumpTexts =>
  withRows(texts, file, (rows) => rows.toSpliced(index, 0, rows[index]!));

export const withRowsSwapped = (
  texts: DumpTexts,
  file: DumpFile,
  a: number,
  b: number,
): DumpTexts => withRows(texts, file, (rows) => rows.with(a, rows[b]!).with(b, rows[a]!));

/** One byte of a file is another. */
export const withByte = (
  texts: DumpTexts,
  file: DumpFile,
  offset: number,
  byte: number,
): Mutation['texts'] => {
  const bytes = new TextEncoder().encode(texts[file]);
  bytes[offset] = byte;
  return { ...texts, [file]: bytes };
};

/** The bytes of a member changed, and canonical base64 again. */
export const withBytes = (
  row: JsonObject,
  change: (bytes: Uint8Array) => Uint8Array,
): JsonObject => ({
  ...row,
  cose_sign1: Buffer.from(
    change(Uint8Array.from(Buffer.from(row['cose_sign1'] as string, 'base64'))),
  ).toString('base64'),
});

/** Another value of the same form. */
export const altered = (value: JsonValue): JsonValue => {
  if (value === null) return 'https://issuer.example';
  if (typeof value === 'number') return value + 1;
  const text = value as string;
  if (/^[0-9a-f]{32,64}$/.test(text)) return `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`;
  if (/^\d{4}-/.test(text)) return text.replace(/\d\dZ$/, (end) => (end === '00Z' ? '01Z' : '00Z'));
  return /[0-9a-f]$/.test(text)
    ? `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
    : `${text}X`;
};
