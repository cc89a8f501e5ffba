import { ContainerModule } from 'inversify';
import { ExportedRecords } from '../../application/audit/exported-records.ts';
import { CreateComplianceExport } from '../../application/compliance/create-compliance-export.ts';
import { DownloadComplianceExport } from '../../application/compliance/download-compliance-export.ts';
import { ExportRecords } from '../../application/compliance/export-records.ts';
import { GetComplianceExport } from '../../application/compliance/get-compliance-export.ts';
import { ListComplianceExports } from '../../application/compliance/list-compliance-exports.ts';
import { MakeExports } from '../../application/compliance/make-exports.ts';
import { ReadComplianceExports } from '../../application/compliance/read-compliance-exports.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { OrgReadsLog } from '../../application/transparency/org-reads-log.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Exports of the records of an org. */
export const complianceModule = new ContainerModule((options) => {
  provideBy(options, t.complianceExports, (sql) => sql.reads.complianceExports, [t.sql]);
  provide(options, ReadComplianceExports, [t.complianceExports, t.clock]);
  provide(options, CreateComplianceExport, [IdempotentTransaction, t.clock, t.ids]);
  provide(options, GetComplianceExport, [ReadComplianceExports]);
  provide(options, ListComplianceExports, [t.complianceExports]);
  provide(options, DownloadComplianceExport, [ReadComplianceExports, t.complianceExports]);
  provide(options, ExportRecords, [t.recordReads, ExportedRecords]);
  provide(options, MakeExports, [
    t.unitOfWork,
    t.complianceExports,
    ExportRecords,
    SealPlatform,
    OrgReadsLog,
    t.jobLeases,
    t.clock,
    t.ids,
  ]);
});
