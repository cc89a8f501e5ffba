import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { CosignedCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../../domain/transparency/org-reads-store.port.ts';
import { findOne } from '../tables/find.ts';
import { ORG_READS_CHECKPOINTS } from './org-reads-row.ts';
import type { Reader } from '../tables/reader.ts';
import { SqlOrgReadsLeaves } from './org-reads-leaves.ts';
import { uuidToSql } from '../base/values.ts';
import { cosigned } from './cosigned.ts';
import { equalities, newestFirst, type Lister } from '../listing/keyset.ts';

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
    return found && (await cosigned(this.reader, [found]))[0]!;
  }

  async checkpoints(
    { orgId }: { readonly orgId?: Uuid },
    request: SliceRequest,
  ): Promise<Slice<CosignedCheckpoint>> {
    const rows = equalities({ org_id: orgId && uuidToSql(orgId) });
    const slice = await this.lister.slice(newestFirst(ORG_READS_CHECKPOINTS, rows), request);
    return { ...slice, rows: await cosigned(this.reader, slice.rows) };
  }
}
