import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CosignedCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import { visibleCheckpoint } from './visible-checkpoint.ts';

export class GetOrgReadsCheckpoint {
  constructor(private readonly reads: OrgReadsReads) {}

  execute(
    { caller }: CallContext,
    { checkpointId }: { readonly checkpointId: Uuid },
  ): Promise<CosignedCheckpoint> {
    return visibleCheckpoint(this.reads, caller, checkpointId);
  }
}
