import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type {
  CosignedCheckpoint,
  OrgReadsCheckpoint,
} from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { ReadsExtent } from '../../../domain/transparency/org-reads-store.port.ts';
import type { ReadsSnapshot } from '../../../domain/transparency/vault-snapshots.port.ts';
import { cosigned } from '../transparency/cosigned.ts';
import { findAll } from '../tables/find.ts';
import { ORG_READS_CHECKPOINTS } from '../transparency/org-reads-row.ts';
import type { SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { SqlOrgReadsLeaves } from '../transparency/org-reads-leaves.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlReadsSnapshot implements ReadsSnapshot {
  private readonly reads: SqlOrgReadsLeaves;

  constructor(private readonly reader: Reader) {
    this.reads = new SqlOrgReadsLeaves(reader);
  }

  async *extents(signingKeyId: string): AsyncIterable<readonly ReadsExtent[]> {
    for (let after: Uuid | null = null; ;) {
      const page: readonly ReadsExtent[] = await this.reads.extents(after, PAGE, signingKeyId);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.orgId;
    }
  }

  async *leaves(orgId: Uuid): AsyncIterable<readonly OrgRead[]> {
    for (let from = 0; ;) {
      const page = await this.reads.from(orgId, from, PAGE);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      from = page.at(-1)!.leafIndex + 1;
    }
  }

  async *checkpoints(orgId: Uuid): AsyncIterable<readonly CosignedCheckpoint[]> {
    const org = uuidToSql(orgId);
    let [size, keyId] = [0, ''];
    for (;;) {
      // Two ranges of one index, as of the entries of chains.
      const rest = await this.page(REST_OF_SIZE, [org, size, keyId, PAGE]);
      const room = PAGE - rest.length;
      const next = room > 0 ? await this.page(NEXT_SIZES, [org, size, room]) : [];
      const page = [...rest, ...next];
      if (page.length > 0) yield await cosigned(this.reader, page);
      if (page.length < PAGE) return;
      const last = page.at(-1)!;
      [size, keyId] = [last.treeSize, last.signingKeyId];
    }
  }

  private page(sql: string, values: readonly SqlValue[]): Promise<readonly OrgReadsCheckpoint[]> {
    return findAll(this.reader, ORG_READS_CHECKPOINTS, sql, values);
  }
}

const PAGE = 500;
const REST_OF_SIZE = `${ORG_READS_CHECKPOINTS.select} WHERE org_id = ? AND tree_size = ? AND signing_key_id > ? ORDER BY signing_key_id LIMIT ?`;
const NEXT_SIZES = `${ORG_READS_CHECKPOINTS.select} WHERE org_id = ? AND tree_size > ? ORDER BY tree_size, signing_key_id LIMIT ?`;
