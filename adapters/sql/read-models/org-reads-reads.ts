import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type {
  CosignedCheckpoint,
  OrgReadsCheckpoint,
} from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../../domain/transparency/org-reads-store.port.ts';
import { findAll, findOne } from '../rows/find.ts';
import { ORG_READS_CHECKPOINTS, ORG_READS_COSIGNATURES } from '../rows/org-reads-row.ts';
import { placeholders, type Reader } from '../session.ts';
import { SqlOrgReadsLeaves } from '../stores/org-reads-leaves.ts';
import { uuidToSql } from '../values.ts';
import { equalities, newestFirst, type Lister } from './keyset.ts';

export class SqlOrgReadsReads extends SqlOrgReadsLeaves implements OrgReadsReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {
    super(reader);
  }

  async checkpoint(id: Uuid): Promise<CosignedCheckpoint | null> {
    const sql = `${ORG_READS_CHECKPOINTS.select} WHERE id = ?`;
    const found = await findOne(this.reader, ORG_READS_CHECKPOINTS, sql, [uuidToSql(id)]);
    return found && (await this.cosigned([found]))[0]!;
  }

  async checkpoints(
    { orgId }: { readonly orgId?: Uuid },
    request: SliceRequest,
  ): Promise<Slice<CosignedCheckpoint>> {
    const rows = equalities({ org_id: orgId && uuidToSql(orgId) });
    const slice = await this.lister.slice(newestFirst(ORG_READS_CHECKPOINTS, rows), request);
    return { ...slice, rows: await this.cosigned(slice.rows) };
  }

  private async cosigned(
    checkpoints: readonly OrgReadsCheckpoint[],
  ): Promise<readonly CosignedCheckpoint[]> {
    if (checkpoints.length === 0) return [];
    const ids = checkpoints.map(({ id }) => uuidToSql(id));
    const sql = `${ORG_READS_COSIGNATURES.select} WHERE checkpoint_id IN (${placeholders(ids.length)})`;
    const found = await findAll(this.reader, ORG_READS_COSIGNATURES, sql, ids);
    const byId = new Map(found.map((cosignature) => [cosignature.checkpointId, cosignature]));
    return checkpoints.map((one) => ({ ...one, cosignature: byId.get(one.id) ?? null }));
  }
}
