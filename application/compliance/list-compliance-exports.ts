import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import { ownOrg } from '../call/own-org.ts';
import type { ComplianceExport } from '../ports/compliance-export.ts';
import type { ComplianceExportReads } from '../ports/compliance-export-store.port.ts';

export class ListComplianceExports {
  constructor(private readonly exports: ComplianceExportReads) {}

  execute(
    { caller }: CallContext,
    { slice, orgId }: { readonly slice: SliceRequest; readonly orgId?: Uuid },
  ): Promise<Slice<ComplianceExport>> {
    return this.exports.list(ownOrg(caller, orgId), slice);
  }
}
