import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Dispute, DisputeEvidence } from '../../../domain/dispute/dispute.ts';
import type { DisputeParties, DisputeStore } from '../../../domain/dispute/dispute-store.port.ts';
import { DISPUTE_EVIDENCE, DISPUTES, type DisputeRow } from './dispute-row.ts';
import { wholeDispute } from './dispute-rows.ts';
import { firstOf, type RowChange } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlDisputeStore implements DisputeStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(dispute: Dispute, parties: DisputeParties): Promise<void> {
    this.unit.insert(DISPUTES, DISPUTES.toRow({ ...parties, ...dispute }));
    for (const [index, evidence] of dispute.evidence.entries())
      await this.addEvidence(dispute.id, evidence, index + 1);
  }

  async lock(id: Uuid): Promise<Dispute | null> {
    const sql = DISPUTE_BY_ID + this.unit.dialect.forUpdate;
    const row = firstOf(await this.unit.all<DisputeRow>(sql, [uuidToSql(id)]));
    return row && wholeDispute(this.unit, row);
  }

  /** @throws Error where there is no such row. */
  async update(dispute: Dispute): Promise<void> {
    await this.unit.change({
      of: PROCEED,
      values: PROGRESS.toRow(dispute),
      where: [uuidToSql(dispute.id)],
      otherwise: `there is no dispute ${dispute.id}`,
    });
  }

  async addEvidence(disputeId: Uuid, evidence: DisputeEvidence, ordinal: number): Promise<void> {
    const row = DISPUTE_EVIDENCE.toRow({ ...evidence, disputeId, ordinal });
    this.unit.insert(DISPUTE_EVIDENCE, row);
  }
}

export const DISPUTE_BY_ID = `${DISPUTES.select} WHERE id = ?`;

/** What changes after the insert. */
const PROGRESS = DISPUTES.only(
  'phase',
  'tier',
  'phaseDeadline',
  'outcome',
  'resolution',
  'resolvedBy',
  'resolvedAt',
);
const PROCEED: RowChange = {
  table: DISPUTES.name,
  columns: PROGRESS.columns,
  where: ['id'],
};
