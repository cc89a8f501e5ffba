import type { Database, Transaction } from '../base/database.ts';
import type { EventNumbers, NumberGiver } from './event-numbers.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { numberColumns, NUMBER_PLACES, OUTBOX, type EventNumber } from './outbox-row.ts';
import type { Change, SqlValue, Table } from '../base/session.ts';

/**
 * A SQLite file has one writer at a time, so a transaction can number its own events: nobody commits between them. Units
 * that share it write at any moment, so the counter is read once, numbers are given without waiting, and the counter is
 * moved with the commit.
 */
export const numberingDatabase = (
  database: Database,
  seals: RowSeals,
  numbers: EventNumbers,
): Database => ({
  ...database,
  begin: async () => new NumberingTransaction(await database.begin(), seals, numbers),
});

class NumberingTransaction implements Transaction {
  #giver: Promise<NumberGiver> | null = null;
  /** The newest number; null before the first one. */
  #last: EventNumber | null = null;
  #lastAtSavepoint: EventNumber | null = null;

  constructor(
    private readonly inner: Transaction,
    private readonly seals: RowSeals,
    private readonly numbers: EventNumbers,
  ) {}

  async insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    return this.inner.insert(table, table === OUTBOX ? await this.numbered(rows) : rows);
  }

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.inner.all<Row>(sql, values);
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return this.inner.run(sql, values);
  }

  change(change: Change): Promise<void> {
    return this.inner.change(change);
  }

  async commit(): Promise<void> {
    try {
      if (this.#last) await (await this.#giver)?.end();
    } catch (error) {
      await this.inner.rollback();
      throw error;
    }
    await this.inner.commit();
    if (this.#last) this.numbers.committed(this.#last);
  }

  rollback(): Promise<void> {
    return this.inner.rollback();
  }

  savepoint(): Promise<void> {
    this.#lastAtSavepoint = this.#last;
    return this.inner.savepoint();
  }

  release(): Promise<void> {
    return this.inner.release();
  }

  async rollbackToSavepoint(): Promise<void> {
    const last = (this.#last = this.#lastAtSavepoint);
    // Where nothing was numbered before, the transaction may begin anew, and others write in between.
    if (!last) this.#giver = null;
    else (await this.#giver)!.last = last;
    return this.inner.rollbackToSavepoint();
  }

  /** In the order in which they were added: that of their chains. */
  private async numbered(
    rows: readonly (readonly SqlValue[])[],
  ): Promise<readonly (readonly SqlValue[])[]> {
    const giver = await (this.#giver ??= this.numbers.begin(this.inner));
    const numbered = rows.map((row) => {
      const number = giver.next(Number(row[CREATED_AT]));
      const columns = numberColumns(this.seals.macs, row[ID] as Uint8Array, number);
      const values = [...row];
      for (const [name, place] of NUMBER_PLACES) values[place] = columns[name];
      return values;
    });
    this.#last = giver.last;
    return numbered;
  }
}

const ID = OUTBOX.columns.indexOf('id');
const CREATED_AT = OUTBOX.columns.indexOf('created_at');
