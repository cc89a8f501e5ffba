import type {
  CosignedCheckpoint,
  OrgReadsCheckpoint,
} from '../../../domain/transparency/org-reads-checkpoint.ts';
import { findAll } from '../tables/find.ts';
import { ORG_READS_COSIGNATURES } from './org-reads-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { uuidToSql } from '../base/values.ts';

/** Each with the signature of its witness, in their order. */
export const cosigned = async (
  reader: Reader,
  checkpoints: readonly OrgReadsCheckpoint[],
): Promise<readonly CosignedCheckpoint[]> => {
  if (checkpoints.length === 0) return [];
  const ids = checkpoints.map(({ id }) => uuidToSql(id));
  const sql = `${ORG_READS_COSIGNATURES.select} WHERE checkpoint_id IN (${placeholders(ids.length)})`;
  const found = await findAll(reader, ORG_READS_COSIGNATURES, sql, ids);
  const byId = new Map(found.map((cosignature) => [cosignature.checkpointId, cosignature]));
  return checkpoints.map((one) => ({ ...one, cosignature: byId.get(one.id) ?? null }));
};
