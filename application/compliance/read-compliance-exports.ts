import { notFound } from '../../domain/kernel/errors.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ComplianceExport } from '../ports/compliance-export.ts';
import type { ComplianceExportReads } from '../ports/compliance-export-store.port.ts';

/** Exports that a caller may see: those of its org, or all; none that has expired. */
export class ReadComplianceExports {
  constructor(
    private readonly exports: ComplianceExportReads,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND where it is missing or has expired, and just the same where it is of another org. */
  async find({ caller }: CallContext, id: Uuid): Promise<ComplianceExport> {
    const found = await this.exports.find(id);
    const isOpen = found && (caller.role === 'platform' || found.orgId === caller.orgId);
    if (!isOpen || found.expiresAt <= this.clock.now().toISOString())
      throw notFound('compliance export');
    return found;
  }
}
