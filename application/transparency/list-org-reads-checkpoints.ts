import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CosignedCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import { ownOrg } from '../call/own-org.ts';

/** The checkpoints of the caller's org, or of any for a platform operator. */
export class ListOrgReadsCheckpoints {
  constructor(private readonly reads: OrgReadsReads) {}

  execute(
    { caller }: CallContext,
    { orgId, slice }: { readonly orgId?: Uuid; readonly slice: SliceRequest },
  ): Promise<Slice<CosignedCheckpoint>> {
    return this.reads.checkpoints(ownOrg(caller, orgId), slice);
  }
}
