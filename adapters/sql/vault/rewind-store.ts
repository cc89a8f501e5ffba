import type { RewindReads, RewindStore } from '../../../domain/vault/rewind-store.port.ts';
import type { RewindFinding } from '../../../domain/vault/rewind.ts';
import { REWIND_FINDINGS } from './anchor-row.ts';
import { findAll } from '../tables/find.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { timeToSql } from '../base/values.ts';

export class SqlRewindStore implements RewindStore {
  constructor(private readonly unit: UnitContext) {}

  async add(finding: RewindFinding): Promise<boolean> {
    const { columns, columnList, name } = REWIND_FINDINGS;
    const added = await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO ${name} (${columnList}) VALUES (${placeholders(columns.length)})`,
      REWIND_FINDINGS.toRow(finding),
    );
    return added === 1;
  }

  async acknowledge(
    { chainKey, checkpointHash }: Pick<RewindFinding, 'chainKey' | 'checkpointHash'>,
    at: string,
  ): Promise<void> {
    await this.unit.run(
      'UPDATE rewind_findings SET acknowledged_at = ? WHERE chain_key = ? AND checkpoint_hash = ?',
      [timeToSql(at), chainKey, checkpointHash],
    );
  }

  async remove({
    chainKey,
    checkpointHash,
  }: Pick<RewindFinding, 'chainKey' | 'checkpointHash'>): Promise<void> {
    await this.unit.run('DELETE FROM rewind_findings WHERE chain_key = ? AND checkpoint_hash = ?', [
      chainKey,
      checkpointHash,
    ]);
  }
}

export class SqlRewindReads implements RewindReads {
  constructor(private readonly reader: Reader) {}

  list(limit: number): Promise<readonly RewindFinding[]> {
    const sql = `${REWIND_FINDINGS.select} ORDER BY detected_at DESC, chain_key LIMIT ?`;
    return findAll(this.reader, REWIND_FINDINGS, sql, [limit]);
  }

  open(): Promise<readonly RewindFinding[]> {
    const sql = `${REWIND_FINDINGS.select} WHERE acknowledged_at IS NULL ORDER BY chain_key`;
    return findAll(this.reader, REWIND_FINDINGS, sql, []);
  }
}
