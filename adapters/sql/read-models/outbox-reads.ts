import type { DomainEvent } from '../../../domain/event/event.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RowSeals } from '../row-seals.ts';
import { OUTBOX } from '../rows/outbox-row.ts';
import type { RawRow } from '../rows/sealed-table.ts';
import { placeholders, type RawReader } from '../session.ts';
import { uuidFromSql, uuidToSql } from '../values.ts';

export interface ReadEvents {
  /** In the order of their ids. */
  readonly events: readonly DomainEvent[];
  /** Events that somebody else wrote or changed. Each raised an alarm. */
  readonly refused: readonly Uuid[];
}

/**
 * The one reader of the outbox. An event whose MAC does not hold is never given out, and it holds up no other: what is
 * numbered, sent, listed or streamed comes from here.
 */
export class SqlOutboxReads {
  constructor(
    private readonly reader: RawReader,
    private readonly seals: RowSeals,
  ) {}

  /** Events that are not there are left out. */
  async find(ids: readonly Uuid[]): Promise<ReadEvents> {
    if (ids.length === 0) return { events: [], refused: [] };
    const sql = `${OUTBOX.select} WHERE id IN (${placeholders(ids.length)}) ORDER BY id`;
    const rows = await this.reader.all<Parameters<typeof OUTBOX.fromRow>[0]>(
      sql,
      ids.map(uuidToSql),
    );
    const sealed = new Set(rows.filter((row) => this.seals.isSealed([OUTBOX, row as RawRow])));
    return {
      events: rows.filter((row) => sealed.has(row)).map((row) => OUTBOX.fromRow(row)),
      refused: rows.filter((row) => !sealed.has(row)).map(({ id }) => uuidFromSql(id)),
    };
  }
}
