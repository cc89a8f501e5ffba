import { createHmac, hkdfSync } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { HttpServer } from '../../adapters/http/server.ts';
import { ClientAddresses, limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { createRestApp, type RestSettings } from '../../adapters/rest/rest-adapter.ts';
import { RunOnce } from '../../application/idempotency/run-once.ts';
import { AttestCall } from '../../application/identity/attest-call.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { Vault } from '../../application/vault/vault.ts';
import type { Settings } from '../settings-table.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../version.ts';
import { restUseCases } from './rest-use-cases.ts';

/** How long a stop waits for running requests, ms; the process has 25 s in all. */
const DRAIN_MS = 20_000;

/** The HTTP front-end: the REST routes over the use cases. */
export const httpModule = new ContainerModule((options) => {
  options
    .bind(HttpServer)
    .toDynamicValue((container) => {
      const settings = container.get(t.settings);
      const addresses = new ClientAddresses(settings.TRUSTED_PROXIES);
      const app = createRestApp(
        {
          useCases: restUseCases(container),
          authenticate: container.get(AuthenticateBearer),
          attest: container.get(AttestCall),
          once: container.get(RunOnce),
          limiter: container.get(t.rateLimiter),
          clientAddress: (socket, forwardedFor) => addresses.resolve(socket, forwardedFor),
          addressKey: limitKeyOfAddress,
          mac: cursorMac(container.get(t.secrets).secretsKey[0] as Uint8Array),
          log: container.get(t.log),
        },
        restSettings(settings, () => container.get(Vault).hub.predicateBase),
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

const restSettings = (settings: Settings, predicateBase: () => string): RestSettings => ({
  predicateBase,
  baseUrl: settings.PUBLIC_URL,
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
