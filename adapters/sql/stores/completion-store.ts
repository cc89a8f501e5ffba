import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { CompletionStore } from '../../../domain/record/record-store.port.ts';
import { COMPLETIONS } from '../rows/completion-row.ts';
import { findOne } from '../rows/find.ts';
import type { UnitContext } from '../unit.ts';
import { uuidToSql } from '../values.ts';

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
    const values = [...DECISION.toRow(completion), uuidToSql(completion.id)];
    const changed = await this.unit.run(UPDATE, values);
    if (changed !== 1) throw new Error(`there is no completion ${completion.id}`);
  }
}

export const COMPLETION_BY_ID = `${COMPLETIONS.select} WHERE id = ?`;

/** What changes after the insert. */
const DECISION = COMPLETIONS.only('gate', 'verdict');
const UPDATE = `UPDATE completions SET ${DECISION.assignments} WHERE id = ?`;
