import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { CompletionStore } from '../../../domain/record/record-store.port.ts';
import {
  COMPLETIONS,
  completionToRow,
  gateAndVerdictToRow,
  rowToCompletion,
  type CompletionRow,
} from '../rows/completion-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { uuidToSql } from '../values.ts';

export class SqlCompletionStore implements CompletionStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(completion: Completion): Promise<void> {
    this.unit.insert(COMPLETIONS, completionToRow(completion));
  }

  async find(id: Uuid): Promise<Completion | null> {
    const row = firstOf(
      await this.unit.all<CompletionRow>(
        `SELECT ${columnsOf(COMPLETIONS)} FROM completions WHERE id = ?`,
        [uuidToSql(id)],
      ),
    );
    return row && rowToCompletion(row);
  }

  /** @throws Error where there is no such row. */
  async update(completion: Completion): Promise<void> {
    const changed = await this.unit.run(UPDATE, [
      ...gateAndVerdictToRow(completion),
      uuidToSql(completion.id),
    ]);
    if (changed !== 1) throw new Error(`there is no completion ${completion.id}`);
  }
}

const UPDATE =
  'UPDATE completions SET gate_state = ?, gate_evaluated_at = ?, gate_results = ?, verdict = ?, verdict_reason = ?, verdict_by = ?, verdict_at = ?, verdict_gate_results = ? WHERE id = ?';
