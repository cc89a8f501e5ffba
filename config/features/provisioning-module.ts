import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { FolderFiles } from '../../adapters/provisioning/folder-files.ts';
import { FolderSecrets } from '../../adapters/provisioning/folder-secrets.ts';
import type { UseCase } from '../../application/call/operation.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { AgentApplier } from '../../application/provisioning/agent-applier.ts';
import { ApiKeyApplier } from '../../application/provisioning/api-key-applier.ts';
import { ApplyDocuments } from '../../application/provisioning/apply-documents.ts';
import { GetProvisioningStatus } from '../../application/provisioning/get-provisioning-status.ts';
import { IssuerApplier } from '../../application/provisioning/issuer-applier.ts';
import { LoadDocuments } from '../../application/provisioning/load-documents.ts';
import { OrgApplier } from '../../application/provisioning/org-applier.ts';
import { PerformOperation } from '../../application/provisioning/perform-operation.ts';
import {
  ReconcileFiles,
  type ReconcileOptions,
} from '../../application/provisioning/reconcile-files.ts';
import { ReloadProvisioning } from '../../application/provisioning/reload-provisioning.ts';
import { SchemaApplier } from '../../application/provisioning/schema-applier.ts';
import { WebhookApplier } from '../../application/provisioning/webhook-applier.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { provide, provideBy } from '../provide.ts';
import type { Settings } from '../settings-table.ts';
import { TOKENS as t } from '../tokens.ts';

const optionsOf = (settings: Settings): ReconcileOptions => ({
  prune: settings.PROVISIONING_PRUNE === 'true',
  dryRun: settings.PROVISIONING_DRY_RUN === 'true',
});

/** Provisioning files. What there is is read past the caches, so that a file is never compared with an old row. */
export const provisioningModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.provisioningFiles,
    ({ PROVISIONING_PATH: path }) => new FolderFiles(path === '' ? null : path),
    [t.settings],
  );
  provideBy(
    options,
    t.secretFiles,
    ({ PROVISIONING_SECRETS_DIR: folder, DATA_DIR }) =>
      new FolderSecrets(folder === '' ? null : folder, DATA_DIR),
    [t.settings],
  );
  provideBy(options, LoadDocuments, (inputs) => new LoadDocuments(inputs), [t.inputCheck]);
  options
    .bind(PerformOperation)
    .toDynamicValue(
      (container) =>
        new PerformOperation(container.get(t.inputCheck), (type) =>
          container.get(type as ServiceIdentifier<UseCase>),
        ),
    )
    .inSingletonScope();
  provideBy(
    options,
    ApplyDocuments,
    (operations, { reads }, secrets, log) =>
      new ApplyDocuments(
        {
          orgs: new OrgApplier(operations, reads.orgs),
          schemas: new SchemaApplier(operations, reads.recordTypes),
          agents: new AgentApplier(operations, reads.agents),
          'api-keys': new ApiKeyApplier(operations, reads.apiKeys, secrets),
          webhooks: new WebhookApplier(operations, reads.webhooks, secrets),
          'trusted-issuers': new IssuerApplier(operations, reads.trustedIssuers),
        },
        log,
      ),
    [PerformOperation, t.sql, t.secretFiles, t.log],
  );
  options
    .bind(ReconcileFiles)
    .toDynamicValue(
      (container) =>
        new ReconcileFiles({
          files: container.get(t.provisioningFiles),
          secrets: container.get(t.secretFiles),
          documents: container.get(LoadDocuments),
          apply: container.get(ApplyDocuments),
          rows: container.get(t.provisionedRows),
          unitOfWork: container.get(t.unitOfWork),
          sealPlatform: container.get(SealPlatform),
          ledger: container.get(PlatformLedger),
          leases: container.get(t.jobLeases),
          clock: container.get(t.clock),
          log: container.get(t.log),
          options: optionsOf(container.get(t.settings)),
        }),
    )
    .inSingletonScope();
  provide(options, ReloadProvisioning, [ReconcileFiles, IdempotentTransaction]);
  provideBy(
    options,
    GetProvisioningStatus,
    (files, settings, rows, reconcile) =>
      new GetProvisioningStatus(files, optionsOf(settings), rows, reconcile),
    [t.provisioningFiles, t.settings, t.provisionedRows, ReconcileFiles],
  );
});
