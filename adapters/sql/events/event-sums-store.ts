import type { EventSums, KeptSums } from '../../../application/ports/event-sums.port.ts';
import type { Sum } from '../../../application/ports/sums.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RowOf } from '../tables/column-map.ts';
import { EVENT_SUMS } from './event-sums-row.ts';
import { placeholders } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';

export class SqlEventSums implements EventSums {
  constructor(private readonly unit: UnitContext) {}

  async insert(kept: KeptSums): Promise<void> {
    this.unit.insert(EVENT_SUMS, EVENT_SUMS.toRow(kept));
  }

  async replace(id: Uuid, sums: readonly Sum[]): Promise<boolean> {
    const row = ['id = ?', uuidToSql(id)] as const;
    return (await reseal(this.unit, EVENT_SUMS, row, changesOf(CHANGED, { sums }))) === 1;
  }

  async take(): Promise<readonly KeptSums[]> {
    const sql = `${EVENT_SUMS.select} ORDER BY created_at, id${this.unit.dialect.forUpdate}`;
    const rows = await this.unit.all<RowOf<typeof EVENT_SUMS>>(sql, []);
    if (rows.length === 0) return [];
    await this.unit.run(
      `DELETE FROM event_sums WHERE id IN (${placeholders(rows.length)})`,
      rows.map(({ id }) => id),
    );
    return rows
      .filter((row) => this.unit.seals.isSealed([EVENT_SUMS, row]))
      .map((row) => EVENT_SUMS.fromRow(row));
  }
}

const CHANGED = EVENT_SUMS.only('sums');
