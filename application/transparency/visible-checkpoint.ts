import type { Caller } from '../../domain/identity/caller.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CosignedCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';

/** @throws NOT_FOUND also where it is one of another org. */
export const visibleCheckpoint = async (
  reads: Pick<OrgReadsReads, 'checkpoint'>,
  caller: Caller,
  checkpointId: Uuid,
): Promise<CosignedCheckpoint> => {
  const found = await reads.checkpoint(checkpointId);
  if (!found || (caller.role !== 'platform' && caller.orgId !== found.orgId))
    throw notFound('checkpoint');
  return found;
};
