import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { CompletionReads } from '../../../domain/record/record-store.port.ts';
import { COMPLETIONS, rowToCompletion, type CompletionRow } from '../rows/completion-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';
import { uuidToSql } from '../values.ts';

export class SqlCompletionReads implements CompletionReads {
  constructor(private readonly reader: Reader) {}

  async find(id: Uuid): Promise<Completion | null> {
    const row = firstOf(
      await this.reader.all<CompletionRow>(
        `SELECT ${columnsOf(COMPLETIONS)} FROM completions WHERE id = ?`,
        [uuidToSql(id)],
      ),
    );
    return row && rowToCompletion(row);
  }

  async ofRecord(recordId: Uuid): Promise<readonly Completion[]> {
    const sql = `SELECT ${columnsOf(COMPLETIONS)} FROM completions WHERE record_id = ? ORDER BY revision`;
    return (await this.reader.all<CompletionRow>(sql, [uuidToSql(recordId)])).map(rowToCompletion);
  }
}
