import { ContainerModule } from 'inversify';
import { ExportAudit } from '../../application/audit/export-audit.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../version.ts';

/** Exports that anyone can verify offline. */
export const auditModule = new ContainerModule((options) => {
  provideBy(options, t.serviceInfo, (baseUrl) => ({ baseUrl, version: VERSION }), [t.publicUrl]);
  provide(options, ExportAudit, [
    FindRecord,
    t.unitOfWork,
    RecordChains,
    SealCheckpoint,
    Vault,
    t.chainReads,
    t.completionReads,
    t.checkpointReads,
    t.clock,
    t.serviceInfo,
  ]);
});
