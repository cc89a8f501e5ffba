import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { NOT_READ } from '../../../domain/record/content.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { placeholders, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { jsonFromSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import { HEX, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { findAll } from '../tables/find.ts';
import { counterToSql, RECORDS } from './record-row.ts';
import { table } from '../tables/tables.ts';

/** Large criteria, each under its hash: a row is written once and never changed. */
export const RECORD_CONTENTS = table('record_contents', {
  recordId: column('record_id', UUID),
  hash: column('hash', HEX),
  content: column('content', TEXT),
});

/** In UTF-16 units of JSON: what is no longer stands in the row of its record. */
const MAX_INLINE = 16 * 1024;

export interface SplitRow {
  readonly row: readonly SqlValue[];
  /** Rows of `record_contents`. */
  readonly contents: readonly (readonly SqlValue[])[];
}

/** The row of a record, without what is large. */
export const splitRow = (record: RecordState): SplitRow => {
  const row = RECORDS.toRow(record);
  const { criteriaHash, counterProposal } = record;
  const isCounterLarge =
    isLarge(row[COUNTER]!) && counterProposal !== null && counterProposal.criteria !== NOT_READ;
  if (!isLarge(row[CRITERIA]!) && !isCounterLarge) return { row, contents: [] };
  const slim = [...row];
  const contents: (readonly SqlValue[])[] = [];
  const moveOut = (hash: string, content: string): void =>
    void contents.push(RECORD_CONTENTS.toRow({ recordId: record.id, hash, content }));
  if (isLarge(row[CRITERIA]!)) {
    moveOut(criteriaHash, row[CRITERIA] as string);
    slim[CRITERIA] = null;
  }
  if (isCounterLarge) {
    moveOut(counterProposal.criteriaHash, JSON.stringify(counterProposal.criteria));
    slim[COUNTER] = counterToSql({ ...counterProposal, criteria: NOT_READ });
  }
  return { row: slim, contents };
};

const CRITERIA = RECORDS.columns.indexOf('criteria');
const COUNTER = RECORDS.columns.indexOf('counter_proposal');
const isLarge = (stored: SqlValue): boolean =>
  typeof stored === 'string' && stored.length > MAX_INLINE;

/** How long the contents beside records are together, by id. */
export const contentLengths = async (
  reader: Reader,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<{ readonly record_id: Uint8Array; readonly n: number }>(
    `SELECT record_id, SUM(LENGTH(content)) AS n FROM record_contents WHERE record_id IN (${placeholders(ids.length)}) GROUP BY record_id`,
    ids,
  );
  return new Map(rows.map(({ record_id: id, n }) => [uuidFromSql(id), Number(n)]));
};

/**
 * The records with their criteria. A second statement reads the large ones; it is not sent where there are none. Criteria
 * that are gone are an empty object, which has another hash.
 */
export const withContents = async (
  reader: Reader,
  records: readonly RecordState[],
): Promise<readonly RecordState[]> => {
  const holders = records.filter(
    ({ criteria, counterProposal }) =>
      criteria === NOT_READ || counterProposal?.criteria === NOT_READ,
  );
  if (holders.length === 0) return records;
  const sql = `${RECORD_CONTENTS.select} WHERE record_id IN (${placeholders(holders.length)})`;
  const ids = holders.map(({ id }) => uuidToSql(id));
  const found = new Map(
    (await findAll(reader, RECORD_CONTENTS, sql, ids)).map(({ recordId, hash, content }) => [
      `${recordId} ${hash}`,
      content,
    ]),
  );
  const read = (recordId: string, hash: string, criteria: JsonObject): JsonObject => {
    if (criteria !== NOT_READ) return criteria;
    const text = found.get(`${recordId} ${hash}`);
    return text === undefined ? {} : jsonFromSql<JsonObject>(text);
  };
  return records.map((record) => {
    const { id, criteriaHash, counterProposal: counter } = record;
    return {
      ...record,
      criteria: read(id, criteriaHash, record.criteria),
      counterProposal: counter && {
        ...counter,
        criteria: read(id, counter.criteriaHash, counter.criteria),
      },
    };
  });
};
