import { stateOf, type ComplianceExport } from '../../../application/ports/compliance-export.ts';
import type {
  ComplianceExportReads,
  ComplianceExportStore,
} from '../../../application/ports/compliance-export-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { isDrift } from '../../../domain/kernel/row-drift.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { equalities, newestFirst, type Lister } from '../listing/keyset.ts';
import { COMPLIANCE_EXPORTS, COMPLIANCE_EXPORT_PIECES } from './compliance-export-row.ts';
import { findOne } from '../tables/find.ts';
import { firstOf } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';

export class SqlComplianceExportReads implements ComplianceExportReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<ComplianceExport | null> {
    return findOne(this.reader, COMPLIANCE_EXPORTS, BY_ID, [uuidToSql(id)]);
  }

  list(
    { orgId }: { readonly orgId?: Uuid },
    slice: SliceRequest,
  ): Promise<Slice<ComplianceExport>> {
    const rows = equalities({ org_id: orgId === undefined ? undefined : uuidToSql(orgId) });
    return this.lister.slice(newestFirst(COMPLIANCE_EXPORTS, rows), slice);
  }

  async next(): Promise<ComplianceExport | null> {
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(NEXT, []);
    for (const { id } of rows)
      try {
        const found = await findOne(this.reader, COMPLIANCE_EXPORTS, BY_ID, [id]);
        if (found && stateOf(found) === 'created') return found;
      } catch (error) {
        if (!isDrift(error)) throw error;
      }
    return null;
  }

  async piece(id: Uuid, claim: Uuid, ordinal: number): Promise<Uint8Array | null> {
    const sql = `${COMPLIANCE_EXPORT_PIECES.select} WHERE export_id = ? AND claim = ? AND ordinal = ?`;
    const values = [uuidToSql(id), uuidToSql(claim), ordinal];
    const found = await findOne(this.reader, COMPLIANCE_EXPORT_PIECES, sql, values);
    return found && found.content;
  }

  async expired(now: string, limit: number): Promise<readonly Uuid[]> {
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(
      'SELECT id FROM compliance_exports WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
      [timeToSql(now), limit],
    );
    return rows.map(({ id }) => uuidFromSql(id));
  }
}

export class SqlComplianceExportStore implements ComplianceExportStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(made: ComplianceExport): Promise<void> {
    this.unit.insert(COMPLIANCE_EXPORTS, COMPLIANCE_EXPORTS.toRow(made));
  }

  lock(id: Uuid): Promise<ComplianceExport | null> {
    const sql = BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, COMPLIANCE_EXPORTS, sql, [uuidToSql(id)]);
  }

  async live(orgId: Uuid, now: string): Promise<number> {
    const rows = await this.unit.all<{ readonly n: number }>(
      'SELECT COUNT(*) AS n FROM compliance_exports WHERE org_id = ? AND expires_at > ? AND failure IS NULL',
      [uuidToSql(orgId), timeToSql(now)],
    );
    return Number(firstOf(rows)?.n ?? 0);
  }

  async update(made: ComplianceExport): Promise<void> {
    const row = ['id = ?', uuidToSql(made.id)] as const;
    await reseal(this.unit, COMPLIANCE_EXPORTS, row, changesOf(CHANGED, made));
  }

  async addPiece(exportId: Uuid, claim: Uuid, ordinal: number, content: Uint8Array): Promise<void> {
    await this.unit.run(
      'DELETE FROM compliance_export_pieces WHERE export_id = ? AND claim = ? AND ordinal = ?',
      [uuidToSql(exportId), uuidToSql(claim), ordinal],
    );
    this.unit.insert(
      COMPLIANCE_EXPORT_PIECES,
      COMPLIANCE_EXPORT_PIECES.toRow({ exportId, claim, ordinal, content }),
    );
  }

  async deletePieces(id: Uuid, but?: Uuid): Promise<void> {
    const sql = 'DELETE FROM compliance_export_pieces WHERE export_id = ?';
    if (but === undefined) await this.unit.run(sql, [uuidToSql(id)]);
    else await this.unit.run(`${sql} AND claim <> ?`, [uuidToSql(id), uuidToSql(but)]);
  }

  async delete(id: Uuid): Promise<void> {
    await this.unit.run('DELETE FROM compliance_exports WHERE id = ?', [uuidToSql(id)]);
  }
}

const BY_ID = `${COMPLIANCE_EXPORTS.select} WHERE id = ?`;
/** Rows that are looked over for one that the service wrote. */
const LOOKED_OVER = 100;
const NEXT = `SELECT id FROM compliance_exports WHERE in_flight = 'export' ORDER BY created_at LIMIT ${LOOKED_OVER}`;
const CHANGED = COMPLIANCE_EXPORTS.only('inFlight', 'attempts', 'claim', 'made', 'failure');
