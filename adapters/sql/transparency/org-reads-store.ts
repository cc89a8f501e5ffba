import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type {
  Cosignature,
  OrgReadsCheckpoint,
} from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsStore } from '../../../domain/transparency/org-reads-store.port.ts';
import { ORG_ADMIN_READS, ORG_READS_CHECKPOINTS, ORG_READS_COSIGNATURES } from './org-reads-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';
import { SqlOrgReadsLeaves } from './org-reads-leaves.ts';

export class SqlOrgReadsStore extends SqlOrgReadsLeaves implements OrgReadsStore {
  constructor(private readonly unit: UnitContext) {
    super(unit);
  }

  async insert(read: OrgRead): Promise<void> {
    this.unit.insert(ORG_ADMIN_READS, ORG_ADMIN_READS.toRow(read));
  }

  async lock(orgId: Uuid): Promise<void> {
    const sql = `SELECT id FROM orgs WHERE id = ?${this.unit.dialect.forUpdate}`;
    await this.unit.all(sql, [uuidToSql(orgId)]);
  }

  async insertCheckpoint(checkpoint: OrgReadsCheckpoint): Promise<void> {
    this.unit.insert(ORG_READS_CHECKPOINTS, ORG_READS_CHECKPOINTS.toRow(checkpoint));
  }

  async insertCosignature(cosignature: Cosignature): Promise<void> {
    this.unit.insert(ORG_READS_COSIGNATURES, ORG_READS_COSIGNATURES.toRow(cosignature));
  }
}
