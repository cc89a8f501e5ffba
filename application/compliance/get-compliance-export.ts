import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ComplianceExport } from '../ports/compliance-export.ts';
import type { ReadComplianceExports } from './read-compliance-exports.ts';

export class GetComplianceExport {
  constructor(private readonly exports: ReadComplianceExports) {}

  execute(
    context: CallContext,
    { exportId }: { readonly exportId: Uuid },
  ): Promise<ComplianceExport> {
    return this.exports.find(context, exportId);
  }
}
