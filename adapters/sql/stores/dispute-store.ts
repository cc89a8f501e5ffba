import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Dispute, DisputeEvidence } from '../../../domain/record/dispute.ts';
import type { DisputeParties, DisputeStore } from '../../../domain/record/dispute-store.port.ts';
import {
  DISPUTES,
  DISPUTE_EVIDENCE,
  disputeToRow,
  evidenceToRow,
  PROGRESS_COLUMNS,
  progressToRow,
  type DisputeRow,
} from '../rows/dispute-row.ts';
import { wholeDispute } from '../rows/dispute-rows.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { uuidToSql } from '../values.ts';

export class SqlDisputeStore implements DisputeStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(dispute: Dispute, parties: DisputeParties): Promise<void> {
    this.unit.insert(DISPUTES, disputeToRow(dispute, parties));
    for (const [index, evidence] of dispute.evidence.entries())
      await this.addEvidence(dispute.id, evidence, index + 1);
  }

  async lock(id: Uuid): Promise<Dispute | null> {
    const row = firstOf(
      await this.unit.all<DisputeRow>(
        `SELECT ${columnsOf(DISPUTES)} FROM disputes WHERE id = ?${this.unit.dialect.forUpdate}`,
        [uuidToSql(id)],
      ),
    );
    return row && wholeDispute(this.unit, row);
  }

  /** @throws Error where there is no such row. */
  async update(dispute: Dispute): Promise<void> {
    const changed = await this.unit.run(UPDATE, [...progressToRow(dispute), uuidToSql(dispute.id)]);
    if (changed !== 1) throw new Error(`there is no dispute ${dispute.id}`);
  }

  async addEvidence(disputeId: Uuid, evidence: DisputeEvidence, ordinal: number): Promise<void> {
    this.unit.insert(DISPUTE_EVIDENCE, evidenceToRow(disputeId, evidence, ordinal));
  }
}

const UPDATE = `UPDATE disputes SET ${PROGRESS_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;
