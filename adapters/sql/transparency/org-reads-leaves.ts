import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type { OrgReadsCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type {
  OrgReadsLeaves,
  ReadsExtent,
} from '../../../domain/transparency/org-reads-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import { ORG_ADMIN_READS, ORG_READS_CHECKPOINTS } from './org-reads-row.ts';
import type { Reader } from '../tables/reader.ts';
import { timeFromSql, uuidFromSql, uuidToSql } from '../base/values.ts';

interface ExtentRow {
  readonly org_id: Uint8Array;
  readonly last_leaf: number;
  readonly covered: number | null;
  readonly covered_by_key: number | null;
  readonly since: number;
}

/** What units of work and committed reads share. */
export class SqlOrgReadsLeaves implements OrgReadsLeaves {
  constructor(private readonly source: Reader) {}

  newest(orgId: Uuid): Promise<OrgRead | null> {
    return findOne(this.source, ORG_ADMIN_READS, NEWEST, [uuidToSql(orgId)]);
  }

  from(orgId: Uuid, leafIndex: number, limit: number): Promise<readonly OrgRead[]> {
    return findAll(this.source, ORG_ADMIN_READS, FROM, [uuidToSql(orgId), leafIndex, limit]);
  }

  async newestCheckpoint(orgId: Uuid, signingKeyId: string): Promise<OrgReadsCheckpoint | null> {
    const org = uuidToSql(orgId);
    return (
      (await findOne(this.source, ORG_READS_CHECKPOINTS, NEWEST_BY_KEY, [org, signingKeyId])) ??
      (await findOne(this.source, ORG_READS_CHECKPOINTS, NEWEST_CHECKPOINT, [org]))
    );
  }

  async extents(
    after: Uuid | null,
    limit: number,
    signingKeyId: string,
  ): Promise<readonly ReadsExtent[]> {
    const from = after === null ? new Uint8Array(0) : uuidToSql(after);
    const rows = await this.source.all<ExtentRow>(EXTENTS, [signingKeyId, from, limit]);
    return rows.map((row) => ({
      orgId: uuidFromSql(row.org_id),
      leaves: Number(row.last_leaf) + 1,
      covered: Number(row.covered ?? 0),
      coveredByKey: Number(row.covered_by_key ?? 0),
      since: timeFromSql(Number(row.since)),
    }));
  }
}

const NEWEST = `${ORG_ADMIN_READS.select} WHERE org_id = ? ORDER BY leaf_index DESC LIMIT 1`;
const FROM = `${ORG_ADMIN_READS.select} WHERE org_id = ? AND leaf_index >= ? ORDER BY leaf_index LIMIT ?`;
const NEWEST_CHECKPOINT = `${ORG_READS_CHECKPOINTS.select} WHERE org_id = ? ORDER BY tree_size DESC LIMIT 1`;
const NEWEST_BY_KEY = `${ORG_READS_CHECKPOINTS.select} WHERE org_id = ? AND signing_key_id = ? ORDER BY tree_size DESC LIMIT 1`;

/** One step down an index for each number: MAX in its place would read all of an org's rows on MySQL. */
const EXTENTS = `
  SELECT o.id AS org_id,
    (SELECT r.leaf_index FROM org_admin_reads r WHERE r.org_id = o.id ORDER BY r.leaf_index DESC LIMIT 1) AS last_leaf,
    (SELECT c.tree_size FROM org_admin_reads_checkpoints c WHERE c.org_id = o.id ORDER BY c.tree_size DESC LIMIT 1) AS covered,
    (SELECT c.tree_size FROM org_admin_reads_checkpoints c WHERE c.org_id = o.id AND c.signing_key_id = ? ORDER BY c.tree_size DESC LIMIT 1) AS covered_by_key,
    COALESCE(
      (SELECT c.created_at FROM org_admin_reads_checkpoints c WHERE c.org_id = o.id ORDER BY c.created_at DESC LIMIT 1),
      (SELECT r.created_at FROM org_admin_reads r WHERE r.org_id = o.id AND r.leaf_index = 0),
      0) AS since
  FROM orgs o
  WHERE o.id > ? AND EXISTS (SELECT 1 FROM org_admin_reads r WHERE r.org_id = o.id)
  ORDER BY o.id LIMIT ?`;
