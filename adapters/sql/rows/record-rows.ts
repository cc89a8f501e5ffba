import type { RecordState } from '../../../domain/record/record-state.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import { columnsOf, type Reader } from '../session.ts';
import { uuidFromSql } from '../values.ts';
import { rowToRecord, type RecordRow } from './record-row.ts';
import { RECORD_REFERENCES, rowToReference, type ReferenceRow } from './reference-row.ts';

/** Rows as records: their references come by one more statement for all of them, and by none where no record has any. */
export const rowsToRecords = async (
  reader: Reader,
  rows: readonly RecordRow[],
): Promise<readonly RecordState[]> => {
  const holders = rows.filter(countOf);
  const found = new Map<string, Reference[]>();
  if (holders.length > 0) {
    const sql = `SELECT ${columnsOf(RECORD_REFERENCES)} FROM record_references WHERE record_id IN (${holders.map(() => '?').join(', ')}) ORDER BY record_id, entry_position`;
    for (const row of await reader.all<ReferenceRow>(
      sql,
      holders.map(({ id }) => id),
    )) {
      const reference = rowToReference(row);
      const others = found.get(reference.recordId);
      if (others) others.push(reference);
      else found.set(reference.recordId, [reference]);
    }
  }
  // One that was added between the two statements belongs to the next version of the record.
  return rows.map((row) =>
    rowToRecord(row, found.get(uuidFromSql(row.id))?.slice(0, countOf(row)) ?? []),
  );
};

const countOf = ({ reference_count: count }: RecordRow): number => Number(count ?? 0);
