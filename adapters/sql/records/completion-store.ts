import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { CompletionStore } from '../../../domain/record/record-store.port.ts';
import { COMPLETIONS } from './completion-row.ts';
import { findOne } from '../tables/find.ts';
import type { RowChange } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlCompletionStore implements CompletionStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(completion: Completion): Promise<void> {
    this.unit.insert(COMPLETIONS, COMPLETIONS.toRow(completion));
  }

  find(id: Uuid): Promise<Completion | null> {
    return findOne(this.unit, COMPLETIONS, COMPLETION_BY_ID, [uuidToSql(id)]);
  }

  /** @throws Error where there is no such row. */
  async update(completion: Completion): Promise<void> {
    await this.unit.change({
      of: DECIDE,
      values: DECISION.toRow(completion),
      where: [uuidToSql(completion.id)],
      otherwise: `there is no completion ${completion.id}`,
    });
  }
}

export const COMPLETION_BY_ID = `${COMPLETIONS.select} WHERE id = ?`;

/** What changes after the insert. */
const DECISION = COMPLETIONS.only('gate', 'verdict');
const DECIDE: RowChange = {
  table: COMPLETIONS.name,
  columns: DECISION.columns,
  where: ['id'],
};
