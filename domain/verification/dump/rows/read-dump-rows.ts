import { decodeBase64Strict } from '../../../kernel/base64.ts';
import type { JsonObject } from '../../../kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson, StrictJsonError } from '../../../kernel/strict-json.ts';
import type { FailureClass } from '../../report/failure.ts';
import type { Area, Findings } from '../../report/report.ts';
import * as form from '../../report/shape.ts';
import { linesOf, type DumpLine } from './dump-lines.ts';
import { nameOfDumpFile, type DumpFile } from './dump-rows.ts';
import { DUMP_SHAPES, ofEachShape } from './dump-shapes.ts';
import { readPlainRow } from './plain-row.ts';
import type { DumpSource } from './dump-source.port.ts';

/** A row that has the members of its file, each of its form; bytes are still base64. */
export interface DumpRow<Members> {
  readonly line: number;
  readonly members: Members;
  /** The bytes of its `cose_sign1` or `public_key`. */
  readonly bytes: Uint8Array;
}

/** Where a fault in a file is reported: by what its rows are. */
const FAULTS: Readonly<Record<DumpFile, readonly [Area, FailureClass]>> = {
  audit_vault: ['chain', 'CHAIN_COSE_DECODE_FAILED'],
  vault_checkpoints: ['checkpoints', 'CHECKPOINT_DECODE_FAILED'],
  vault_signing_keys: ['keys', 'CHAIN_COSE_DECODE_FAILED'],
  vault_key_statements: ['keys', 'CHAIN_COSE_DECODE_FAILED'],
  org_admin_reads: ['document', 'CHAIN_COSE_DECODE_FAILED'],
  org_admin_reads_checkpoints: ['document', 'CHECKPOINT_DECODE_FAILED'],
};

/** Says what is wrong with the form of a file. */
export const faultIn = (file: DumpFile, findings: Findings, detail: string): void => {
  const [area, failureClass] = FAULTS[file];
  findings.fail(
    'document',
    area,
    failureClass,
    { chainKey: null, position: null },
    `${nameOfDumpFile(file)}${detail}`,
  );
};

/**
 * The rows of one file, in its order. A row that cannot be read is reported and given as null.
 *
 * @param isWanted leaves lines out unread, where a file is read again.
 */
export async function* dumpRows<Members>(
  source: DumpSource,
  file: DumpFile,
  findings: Findings,
  isWanted: (line: DumpLine) => boolean = () => true,
): AsyncIterable<DumpRow<Members> | null> {
  const parts = source.open(file);
  if (!parts) return faultIn(file, findings, ' is missing');
  for await (const line of linesOf(parts)) {
    if (isWanted(line)) yield readRow<Members>(line, file, findings);
  }
}

/** One row; null where it cannot be read, which is reported. */
export const readRow = <Members>(
  line: DumpLine,
  file: DumpFile,
  findings: Findings,
): DumpRow<Members> | null => {
  const plain = readPlainRow(line, file);
  if (!plain) return readRowInFull(line, file, findings);
  findings.looked('document');
  return plain as DumpRow<Members>;
};

/** The same without the short way. */
export const readRowInFull = <Members>(
  line: DumpLine,
  file: DumpFile,
  findings: Findings,
): DumpRow<Members> | null => {
  findings.looked('document');
  const fault = (detail: string): void =>
    faultIn(file, findings, `, line ${line.number}: ${detail}`);
  const members = membersOf(line, file, fault);
  const bytes =
    members && decodeBase64Strict(String(members['cose_sign1'] ?? members['public_key']));
  if (members && !bytes) fault('its bytes are not canonical base64');
  return members && bytes ? { line: line.number, members: members as Members, bytes } : null;
};

const membersOf = (
  line: DumpLine,
  file: DumpFile,
  fault: (detail: string) => void,
): JsonObject | null => {
  if (line.isCut) fault('the file ends within a line');
  if (!line.bytes) {
    fault('it is longer than any row');
    return null;
  }
  try {
    const text = decodeUtf8Strict(line.bytes);
    const value = parseStrictJson(text);
    if (!form.fits(value, DUMP_SHAPES[file], 'the row', fault)) return null;
    // One row has one text: no byte of a file can be another unseen.
    if (JSON.stringify(value) !== text || !isInOrder(Object.keys(value), file))
      fault('it is not compact JSON with the members in their order');
    return value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    fault(error.message);
    return null;
  }
};

const isInOrder = (names: readonly string[], file: DumpFile): boolean => {
  const known = ORDERS.get(file)!;
  let at = -1;
  return names.every((name) => {
    const place = known.get(name) ?? -1;
    const follows = place > at;
    at = place;
    return follows;
  });
};

const ORDERS = ofEachShape(
  (shape): ReadonlyMap<string, number> =>
    new Map(Object.keys(shape).map((name, index) => [name, index])),
);
