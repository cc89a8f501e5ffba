import type { EventPlaces } from '../../../domain/event/event-places.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Dialect } from '../base/dialect.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { NEWEST_NUMBER, numberHolds, OUTBOX, type OutboxRow } from './outbox-row.ts';
import { firstOf, type RawReader } from '../base/session.ts';
import { timeToSql, uuidFromSql } from '../base/values.ts';

/** Finds places by the index of the numbers alone: time runs with them. */
export class SqlEventPlaces implements EventPlaces {
  readonly #unnumbered: string;

  constructor(
    private readonly reader: RawReader,
    private readonly seals: RowSeals,
    dialect: Dialect,
  ) {
    this.#unnumbered = `SELECT ${OUTBOX.columnList}, ${dialect.now} AS now FROM outbox WHERE sequence IS NULL ORDER BY created_at LIMIT ${BATCH} OFFSET ?`;
  }

  async before(instant: string): Promise<number> {
    const time = timeToSql(instant);
    // Events up to `low` were numbered before, events from `high` on were not.
    let low = 0;
    let high = (await this.#newest()) + 1;
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await this.#genuineFrom(middle, high);
      if (found && Number(found.numbered_at) < time) low = Number(found.sequence);
      else high = middle;
    }
    return low;
  }

  async isAt(sequence: number, id: Uuid): Promise<boolean> {
    const sql = 'SELECT id FROM outbox WHERE sequence = ?';
    const row = firstOf(await this.reader.all<Pick<OutboxRow, 'id'>>(sql, [sequence]));
    return row ? uuidFromSql(row.id) === id : false;
  }

  async longestWait(): Promise<number> {
    for (let passed = 0; ;) {
      const rows = await this.reader.all<OutboxRow & { readonly now: number }>(this.#unnumbered, [
        passed,
      ]);
      const waiting = rows.find(
        // One that had a number gets no other.
        (row) => row.number_mac === null && this.seals.macs.holds(OUTBOX, row),
      );
      if (waiting) return Math.max(1, Number(waiting.now) - Number(waiting.created_at));
      if (rows.length < BATCH) return 0;
      passed += rows.length;
    }
  }

  async #newest(): Promise<number> {
    type Newest = { readonly newest: number | null };
    return Number(firstOf(await this.reader.all<Newest>(NEWEST_NUMBER, []))?.newest ?? 0);
  }

  /** The first row from a number on whose number the service gave. */
  async #genuineFrom(from: number, end: number): Promise<NumberRow | undefined> {
    for (let next = from; next < end;) {
      const rows = await this.reader.all<NumberRow>(NUMBERS, [next, end]);
      const genuine = rows.find((row) => numberHolds(this.seals.macs, row));
      if (genuine) return genuine;
      if (rows.length < FEW) return undefined;
      next = Number(rows.at(-1)!.sequence) + 1;
    }
    return undefined;
  }
}

type NumberRow = Pick<OutboxRow, 'id' | 'sequence' | 'numbered_at' | 'number_key' | 'number_mac'>;

const BATCH = 200;
const FEW = 4;
const NUMBERS = `SELECT id, sequence, numbered_at, number_key, number_mac FROM outbox WHERE sequence >= ? AND sequence < ? ORDER BY sequence LIMIT ${FEW}`;
