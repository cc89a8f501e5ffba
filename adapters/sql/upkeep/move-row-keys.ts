import type { RowSeals } from '../tables/row-seals.ts';
import { IDEMPOTENCY } from '../idempotency/idempotency-row.ts';
import type { RawRow, SealedTable } from '../tables/sealed-table.ts';
import { numberColumns, numberHolds, type OutboxRow } from '../events/outbox-row.ts';
import { SEALED_TABLES } from '../scan/sealed-tables.ts';
import { placeholders, type RawReader, type SqlValue } from '../base/session.ts';
import { reseal } from '../tables/reseal.ts';
import type { UnitRunner } from '../tables/unit-context.ts';

/** Rows in one transaction: few enough that it delays no other. */
const BATCH = 200;

/**
 * Seals the rows that an older secret sealed under the newest one, so that the older one can be dropped. A row that
 * somebody else wrote stays as it is. Answers that are stored for a repetition stay too: they are found by a MAC under the
 * key of their time, and expire within 24 hours.
 *
 * @returns how many rows were moved.
 */
export const moveRowsToNewestKey = async (
  unitOfWork: UnitRunner,
  reader: RawReader,
  seals: RowSeals,
): Promise<number> => {
  let moved = 0;
  for (const table of SEALED_TABLES)
    if (table !== IDEMPOTENCY) moved += await moveTable(unitOfWork, reader, seals, table);
  return moved + (await moveNumbers(unitOfWork, reader, seals));
};

const moveTable = async (
  unitOfWork: UnitRunner,
  reader: RawReader,
  seals: RowSeals,
  table: SealedTable,
): Promise<number> => {
  const sql = `${table.select} WHERE row_key <> ? AND ${table.key} > ? ORDER BY ${table.key} LIMIT ${BATCH}`;
  let moved = 0;
  let after: SqlValue = new Uint8Array(0);
  for (;;) {
    const rows: readonly RawRow[] = await reader.all<RawRow>(sql, [seals.macs.newestId, after]);
    const last = rows.at(-1);
    if (!last) return moved;
    after = last[table.key]!;
    const keys = rows.filter((row) => seals.isSealed([table, row])).map((row) => row[table.key]!);
    if (keys.length > 0)
      moved += await unitOfWork.run((unit) =>
        reseal(unit, table, [`${table.key} IN (${placeholders(keys.length)})`, ...keys], {}),
      );
  }
};

/** The numbers of events have a MAC of their own. */
const moveNumbers = async (
  unitOfWork: UnitRunner,
  reader: RawReader,
  { macs }: RowSeals,
): Promise<number> => {
  let [moved, after] = [0, 0];
  for (;;) {
    const rows = await reader.all<NumberRow>(NUMBERS, [macs.newestId, after]);
    const last = rows.at(-1);
    if (!last) return moved;
    after = Number(last.sequence);
    const held = rows.filter((row) => numberHolds(macs, row));
    moved += held.length;
    await unitOfWork.run(async (unit) => {
      for (const { id, sequence, numbered_at: numberedAt } of held) {
        const number = { sequence: Number(sequence), numberedAt: Number(numberedAt) };
        const { number_key: key, number_mac: mac } = numberColumns(macs, id, number);
        await unit.run(MOVE_NUMBER, [key, mac, id, number.sequence, number.numberedAt]);
      }
    });
  }
};

type NumberRow = Pick<OutboxRow, 'id' | 'sequence' | 'numbered_at' | 'number_key' | 'number_mac'>;
const NUMBERS = `SELECT id, sequence, numbered_at, number_key, number_mac FROM outbox WHERE number_key <> ? AND sequence > ? ORDER BY sequence LIMIT ${BATCH}`;
const MOVE_NUMBER =
  'UPDATE outbox SET number_key = ?, number_mac = ? WHERE id = ? AND sequence = ? AND numbered_at = ?';
