import type { RecordState } from '../../../domain/record/record-state.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { uuidFromSql } from '../base/values.ts';
import { findAll } from '../tables/find.ts';
import { RECORDS, type RecordRow } from './record-row.ts';
import { RECORD_REFERENCES } from './reference-row.ts';

/**
 * Makes records from rows. A second statement reads the references of all of them; it is not sent
 * where no record has any.
 */
export const rowsToRecords = async (
  reader: Reader,
  rows: readonly RecordRow[],
): Promise<readonly RecordState[]> => {
  const holders = rows.filter(countOf);
  const found = new Map<string, Reference[]>();
  if (holders.length > 0) {
    const sql = `${RECORD_REFERENCES.select} WHERE record_id IN (${placeholders(holders.length)}) ORDER BY record_id, entry_position`;
    const ids = holders.map(({ id }) => id);
    for (const reference of await findAll(reader, RECORD_REFERENCES, sql, ids)) {
      const others = found.get(reference.recordId);
      if (others) others.push(reference);
      else found.set(reference.recordId, [reference]);
    }
  }
  // A reference that was added between the two statements belongs to the next version of the
  // record.
  return rows.map((row) =>
    RECORDS.fromRow(row, {
      references: found.get(uuidFromSql(row.id))?.slice(0, countOf(row)) ?? [],
    }),
  );
};

const countOf = ({ reference_count: count }: RecordRow): number => Number(count ?? 0);
