import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { CompletionGate, CompletionReads } from '../../../domain/record/record-store.port.ts';
import { COMPLETIONS } from './completion-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import type { Reader } from '../tables/reader.ts';
import { COMPLETION_BY_ID } from './completion-store.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlCompletionReads implements CompletionReads {
  constructor(private readonly reader: Reader) {}

  find(id: Uuid): Promise<Completion | null> {
    return findOne(this.reader, COMPLETIONS, COMPLETION_BY_ID, [uuidToSql(id)]);
  }

  gateOf(id: Uuid): Promise<CompletionGate | null> {
    return findOne(this.reader, GATE, GATE_BY_ID, [uuidToSql(id)]);
  }

  ofRecord(recordId: Uuid): Promise<readonly Completion[]> {
    const sql = `${COMPLETIONS.select} WHERE record_id = ? ORDER BY revision`;
    return findAll(this.reader, COMPLETIONS, sql, [uuidToSql(recordId)]);
  }
}

const GATE = COMPLETIONS.only('id', 'gate');
const GATE_BY_ID = `SELECT ${GATE.columns.join(', ')} FROM completions WHERE id = ?`;
