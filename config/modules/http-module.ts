import { createHmac, hkdfSync } from 'node:crypto';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { HttpServer } from '../../adapters/http/server.ts';
import { ClientAddresses, limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { createRestApp, type RestSettings } from '../../adapters/rest/rest-adapter.ts';
import type { RestUseCases } from '../../adapters/rest/use-cases.ts';
import type { Settings } from '../settings-table.ts';
import { TOKENS } from '../tokens.ts';
import { VERSION } from '../version.ts';

/** How long a stop waits for running requests, ms; the process has 25 s in all. */
const DRAIN_MS = 20_000;

/** The HTTP front-end: the REST routes over the use cases. */
export const httpModule = new ContainerModule((options) => {
  options
    .bind(TOKENS.httpServer)
    .toDynamicValue((container) => {
      const settings = container.get(TOKENS.settings);
      const addresses = new ClientAddresses(settings.TRUSTED_PROXIES);
      const app = createRestApp(
        {
          useCases: Object.fromEntries(
            Object.entries(USE_CASES).map(([name, token]) => [
              name,
              container.get(token as ServiceIdentifier<unknown>),
            ]),
          ) as unknown as RestUseCases,
          authenticate: container.get(TOKENS.authenticateBearer),
          attest: container.get(TOKENS.attestCall),
          once: container.get(TOKENS.runOnce),
          limiter: container.get(TOKENS.rateLimiter),
          clientAddress: (socket, forwardedFor) => addresses.resolve(socket, forwardedFor),
          addressKey: limitKeyOfAddress,
          mac: cursorMac(container.get(TOKENS.secrets).secretsKey[0] as Uint8Array),
          log: container.get(TOKENS.log),
        },
        restSettings(settings, () => container.get(TOKENS.vault).hub.predicateBase),
      );
      return new HttpServer(app, {
        host: settings.HOST,
        port: settings.PORT,
        connectionTimeoutMs: settings.CONNECTION_TIMEOUT_MS,
        keepAliveTimeoutMs: settings.KEEP_ALIVE_TIMEOUT_MS,
        drainMs: DRAIN_MS,
      });
    })
    .inSingletonScope();
});

/** The use cases that the routes call. The compiler sees to it that none is missing. */
const USE_CASES = {
  createRecord: TOKENS.createRecord,
  readTree: TOKENS.readTree,
  createRecordsBulk: TOKENS.createRecordsBulk,
  getRecord: TOKENS.getRecord,
  listRecords: TOKENS.listRecords,
  submitCompletion: TOKENS.submitCompletion,
  getCompletion: TOKENS.getCompletion,
  renderVerdict: TOKENS.renderVerdict,
  transitionRecord: TOKENS.transitionRecord,
  getGateStatus: TOKENS.getGateStatus,
  addReference: TOKENS.addReference,
  openDispute: TOKENS.openDispute,
  submitDisputeEvidence: TOKENS.submitDisputeEvidence,
  escalateDispute: TOKENS.escalateDispute,
  resolveDispute: TOKENS.resolveDispute,
  withdrawDispute: TOKENS.withdrawDispute,
  getDispute: TOKENS.getDispute,
  listDisputes: TOKENS.listDisputes,
  exportAudit: TOKENS.exportAudit,
  registerType: TOKENS.registerType,
  getType: TOKENS.getType,
  listTypes: TOKENS.listTypes,
  listVersions: TOKENS.listVersions,
  changeTypeStatus: TOKENS.changeTypeStatus,
  deleteType: TOKENS.deleteType,
  validateContent: TOKENS.validateContent,
  getPublicSchema: TOKENS.getPublicSchema,
  exportTypes: TOKENS.exportTypes,
  importTypes: TOKENS.importTypes,
  rotateKey: TOKENS.rotateKey,
  createOrg: TOKENS.createOrg,
  listOrgs: TOKENS.listOrgs,
  createAgent: TOKENS.createAgent,
  listAgents: TOKENS.listAgents,
  getAgent: TOKENS.getAgent,
  declareCapabilities: TOKENS.declareCapabilities,
  setEncryptionKey: TOKENS.setEncryptionKey,
  addSigningKey: TOKENS.addSigningKey,
  revokeSigningKey: TOKENS.revokeSigningKey,
  addAgentReference: TOKENS.addAgentReference,
  getReputation: TOKENS.getReputation,
  listHistory: TOKENS.listHistory,
  getDrift: TOKENS.getDrift,
  listDrift: TOKENS.listDrift,
  mintKey: TOKENS.mintKey,
  listKeys: TOKENS.listKeys,
  updateKey: TOKENS.updateKey,
  bulkRevokeKeys: TOKENS.bulkRevokeKeys,
  deactivateAgent: TOKENS.deactivateAgent,
  reactivateAgent: TOKENS.reactivateAgent,
  createIssuer: TOKENS.createIssuer,
  getIssuer: TOKENS.getIssuer,
  listIssuers: TOKENS.listIssuers,
  updateIssuer: TOKENS.updateIssuer,
  deleteIssuer: TOKENS.deleteIssuer,
  exchangeToken: TOKENS.exchangeToken,
  revokeCert: TOKENS.revokeCert,
  revokeIssuerCerts: TOKENS.revokeIssuerCerts,
  listVerificationKeys: TOKENS.listVerificationKeys,
  checkHealth: TOKENS.checkHealth,
} as const satisfies {
  readonly [Name in keyof RestUseCases]: ServiceIdentifier<RestUseCases[Name]>;
};

const restSettings = (settings: Settings, predicateBase: () => string): RestSettings => ({
  predicateBase,
  baseUrl: settings.PUBLIC_URL.replace(/\/+$/, ''),
  version: VERSION,
  maxBodyBytes: settings.MAX_BODY_BYTES,
  maxDepth: 64,
  handlerTimeoutMs: settings.HANDLER_TIMEOUT_MS,
  corsOrigins: settings.CORS_ORIGINS,
  limits: {
    agent: settings.RATE_LIMIT_AGENT,
    admin: settings.RATE_LIMIT_ADMIN,
    platform: settings.RATE_LIMIT_PLATFORM,
    recordsCreate: settings.RATE_LIMIT_RECORDS_CREATE,
    anonymous: settings.RATE_LIMIT_ANONYMOUS,
    routeMultiplier: settings.RATE_LIMIT_ROUTE_MULTIPLIER,
  },
});

/** Cursors are signed under a key of their own, so that no other MAC of the service can pass for one. */
const cursorMac = (secret: Uint8Array): ((input: string) => Uint8Array) => {
  const key = Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), 'service.cursor.v1', 32));
  return (input) => createHmac('sha256', key).update(input).digest();
};
