import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import type { HttpRoute } from '../adapters/http/http-route.ts';
import type { SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import { encodeBase64WithRuntime } from '../adapters/system/runtime-base64.ts';
import { hashWithRuntime } from '../adapters/system/runtime-sha256.ts';
import type { Log } from '../application/ports/log.port.ts';
import type { Tracer } from '../application/ports/tracer.port.ts';
import { anchorModule } from './features/anchor-module.ts';
import { apiKeyModule } from './features/api-key-module.ts';
import { auditModule } from './features/audit-module.ts';
import { authenticationModule } from './features/authentication-module.ts';
import { callModule } from './features/call-module.ts';
import { certificateModule } from './features/certificate-module.ts';
import { deliveryModule } from './features/delivery-module.ts';
import { disputeModule } from './features/dispute-module.ts';
import { federatedRecordModule } from './features/federated-record-module.ts';
import { federationModule } from './features/federation-module.ts';
import { idempotencyModule } from './features/idempotency-module.ts';
import { identityModule } from './features/identity-module.ts';
import { operationsModule } from './features/operations-module.ts';
import { eventModule } from './features/event-module.ts';
import { orgReadsModule } from './features/org-reads-module.ts';
import { provisioningModule } from './features/provisioning-module.ts';
import { recordModule } from './features/record-module.ts';
import { recordTypeModule } from './features/record-type-module.ts';
import { reputationModule } from './features/reputation-module.ts';
import { sealingModule } from './features/sealing-module.ts';
import { transparencyModule } from './features/transparency-module.ts';
import { complianceModule } from './features/compliance-module.ts';
import { siemModule } from './features/siem-module.ts';
import { vaultModule } from './features/vault-module.ts';
import { a2aModule } from './modules/a2a-module.ts';
import { federationRoutesModule } from './modules/federation-routes-module.ts';
import { httpModule } from './modules/http-module.ts';
import { mcpModule } from './modules/mcp-module.ts';
import { storageModule } from './modules/storage-module.ts';
import { systemModule } from './modules/system-module.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings-table.ts';
import { TOKENS } from './tokens.ts';

/** All modules. A feature adds its own here. */
export const MODULES: readonly ContainerModule[] = [
  systemModule,
  storageModule,
  vaultModule,
  anchorModule,
  sealingModule,
  idempotencyModule,
  recordTypeModule,
  recordModule,
  disputeModule,
  auditModule,
  transparencyModule,
  reputationModule,
  identityModule,
  apiKeyModule,
  authenticationModule,
  certificateModule,
  operationsModule,
  orgReadsModule,
  eventModule,
  deliveryModule,
  siemModule,
  complianceModule,
  provisioningModule,
  federationModule,
  federatedRecordModule,
  callModule,
  a2aModule,
  mcpModule,
  federationRoutesModule,
  httpModule,
];

/**
 * What must exist before anything is wired, because it opens asynchronously or because the caller
 * of the service chose it.
 */
export interface RootDependencies {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly sql: SqlAdapter;
  readonly log: Log;
  /** Left out where no traces are told. */
  readonly tracer?: Tracer | null;
  /** Left out but in the service of a demo. */
  readonly demoRoutes?: readonly HttpRoute[];
}

export const createContainer = (root: RootDependencies): Container => {
  hashWithRuntime();
  encodeBase64WithRuntime();
  const container = new Container();
  container.bind(TOKENS.settings).toConstantValue(root.settings);
  container.bind(TOKENS.secrets).toConstantValue(root.secrets);
  container.bind(TOKENS.sql).toConstantValue(root.sql);
  container.bind(TOKENS.log).toConstantValue(root.log);
  container.bind(TOKENS.tracer).toConstantValue(root.tracer ?? null);
  container.bind(TOKENS.demoRoutes).toConstantValue(root.demoRoutes ?? []);
  container.load(...MODULES);
  return container;
};
