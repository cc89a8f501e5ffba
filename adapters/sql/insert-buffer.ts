import type { Session, SqlValue, Table } from './session.ts';

type RowValues = readonly SqlValue[];

/** Inserts that wait for the commit, by table. */
export class InsertBuffer {
  readonly #byTable = new Map<Table, RowValues[]>();

  add(table: Table, row: RowValues): void {
    const rows = this.#byTable.get(table);
    if (rows) rows.push(row);
    else this.#byTable.set(table, [row]);
  }

  get isEmpty(): boolean {
    return this.#byTable.size === 0;
  }

  /** Empties the buffer. */
  take(): InsertBuffer {
    const taken = new InsertBuffer();
    for (const [table, rows] of this.#byTable) taken.#byTable.set(table, rows);
    this.#byTable.clear();
    return taken;
  }

  /** Writes the rows of all buffers, merged by table, parents before children. The buffers stay as they are. */
  static async write(session: Session, buffers: readonly InsertBuffer[]): Promise<void> {
    const merged = new Map<Table, RowValues[]>();
    for (const buffer of buffers) {
      for (const [table, rows] of buffer.#byTable) {
        const all = merged.get(table);
        if (!all) merged.set(table, buffers.length === 1 ? rows : [...rows]);
        else for (const row of rows) all.push(row);
      }
    }
    const tables = [...merged.keys()].sort((a, b) => a.order - b.order);
    for (const table of tables) await session.insert(table, merged.get(table)!);
  }
}
