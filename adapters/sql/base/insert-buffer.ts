import type { Change, Session, SqlValue, Table } from './session.ts';

type RowValues = readonly SqlValue[];

/** What buffers hold together. */
export interface Writes {
  /** Merged by table, parents before children. */
  readonly inserts: readonly (readonly [Table, readonly RowValues[]])[];
  /** After the inserts, in the order in which they were added. */
  readonly changes: readonly Change[];
}

/** Writes that wait for the commit: inserts by table, and changes of rows that the unit holds. */
export class InsertBuffer {
  readonly #byTable = new Map<Table, RowValues[]>();
  readonly #changes: Change[] = [];

  add(table: Table, row: RowValues): void {
    const rows = this.#byTable.get(table);
    if (rows) rows.push(row);
    else this.#byTable.set(table, [row]);
  }

  change(change: Change): void {
    this.#changes.push(change);
  }

  get isEmpty(): boolean {
    return this.#byTable.size === 0 && this.#changes.length === 0;
  }

  /** Empties the buffer. */
  take(): InsertBuffer {
    const taken = new InsertBuffer();
    for (const [table, rows] of this.#byTable) taken.#byTable.set(table, rows);
    taken.#changes.push(...this.#changes.splice(0));
    this.#byTable.clear();
    return taken;
  }

  /** The buffers stay as they are. */
  static merged(buffers: readonly InsertBuffer[]): Writes {
    const merged = new Map<Table, RowValues[]>();
    for (const buffer of buffers) {
      for (const [table, rows] of buffer.#byTable) {
        const all = merged.get(table);
        if (!all) merged.set(table, buffers.length === 1 ? rows : [...rows]);
        else for (const row of rows) all.push(row);
      }
    }
    return {
      inserts: [...merged].sort(([a], [b]) => a.order - b.order),
      changes: buffers.flatMap((buffer) => buffer.#changes),
    };
  }

  /** Writes what the buffers hold. They stay as they are. */
  static async write(session: Session, buffers: readonly InsertBuffer[]): Promise<void> {
    const { inserts, changes } = InsertBuffer.merged(buffers);
    for (const [table, rows] of inserts) await session.insert(table, rows);
    for (const change of changes) await session.change(change);
  }
}
