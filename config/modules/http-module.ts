import { ContainerModule } from 'inversify';
import { ServedFolder } from '../../adapters/docs/built-folder.ts';
import { DocumentationSearch } from '../../adapters/docs/reference/search.ts';
import { LoadShedder } from '../../adapters/http/load-shedder.ts';
import { HttpServer } from '../../adapters/http/server.ts';
import { Draining } from '../../adapters/http/draining.ts';
import { refuse } from '../../adapters/http/refuse.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { metricsRoute } from '../../adapters/rest/public/metrics-route.ts';
import { Budgets } from '../../application/call/budgets.ts';
import { ClientAddresses } from '../../adapters/limits/client-address.ts';
import { createRestApp } from '../../adapters/rest/rest-adapter.ts';
import { BINDINGS } from '../../adapters/rest/bindings.ts';
import { probePages } from '../../adapters/rest/public/probes.ts';
import { pagesOf } from '../../adapters/rest/routes.ts';
import { HubIdentity } from '../../application/federation/hub-identity.ts';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import { LoadGate } from '../../application/call/load-gate.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { ListCoseKeys } from '../../application/vault/list-cose-keys.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../build-version.ts';

/** How long a stop waits for running requests, ms; the process has 25 s in all. */
const DRAIN_MS = 20_000;

/** The HTTP front-end: the REST bindings of the operations. */
export const httpModule = new ContainerModule((options) => {
  provideBy(options, Draining, () => new Draining(), []);
  provideBy(
    options,
    t.clientAddress,
    ({ TRUSTED_PROXIES }) => {
      const addresses = new ClientAddresses(TRUSTED_PROXIES);
      return (socket, forwardedFor) => addresses.resolve(socket, forwardedFor);
    },
    [t.settings],
  );
  options
    .bind(HttpServer)
    .toDynamicValue((container) => {
      const settings = container.get(t.settings);
      const files = new ServedFolder(async (built) =>
        (await import('../interface-documents.ts')).interfaceDocuments(built),
      );
      const metrics = container.get(Metrics);
      const isWorker = settings.ROLE === 'worker';
      const demoRoutes = container.get(t.demoRoutes);
      const checkHealth = container.get(CheckHealth);
      // Orchestrators look after a worker as well; nobody else has to do with it.
      const pages = isWorker
        ? probePages(checkHealth, VERSION).filter(({ path }) => path !== '/status')
        : pagesOf({
            checkHealth,
            publicSchemas: container.get(GetPublicSchema),
            coseKeys: container.get(ListCoseKeys),
            hubIdentity: container.get(HubIdentity),
            builtFiles: files,
            attacks: demoRoutes.length > 0,
            search: new DocumentationSearch(files),
            contracts: async () => (await import('../contracts.ts')).CONTRACTS,
            baseUrl: settings.PUBLIC_URL,
            version: VERSION,
            predicateBase: () => container.get(Vault).hub.predicateBase,
          });
      const app = createRestApp(
        pages,
        {
          gateway: container.get(CallGateway),
          inputs: container.get(t.inputCheck),
          json: container.get(t.jsonReader),
          clientAddress: container.get(t.clientAddress),
          log: container.get(t.log),
          load: container.get(LoadGate),
          onAnswered: (...answer) => metrics.answered(...answer),
          tracer: container.get(t.tracer),
          beside: [
            metricsRoute({
              metrics,
              token: settings.METRICS_TOKEN,
              gateway: container.get(CallGateway),
              budgets: container.get(Budgets),
              clientAddress: container.get(t.clientAddress),
              refuse: refuse(container.get(t.log)),
            }),
            ...(isWorker
              ? []
              : [
                  ...container.get(t.a2aRoutes),
                  container.get(t.mcpRoute),
                  ...container.get(t.federationRoutes),
                  ...demoRoutes,
                ]),
          ],
        },
        {
          baseUrl: settings.PUBLIC_URL,
          maxBodyBytes: settings.MAX_BODY_BYTES,
          handlerTimeoutMs: settings.HANDLER_TIMEOUT_MS,
          corsOrigins: settings.CORS_ORIGINS,
        },
        isWorker ? [] : BINDINGS,
      );
      return new HttpServer(
        app,
        {
          host: settings.HOST,
          port: settings.PORT,
          connectionTimeoutMs: settings.CONNECTION_TIMEOUT_MS,
          keepAliveTimeoutMs: settings.KEEP_ALIVE_TIMEOUT_MS,
          drainMs: DRAIN_MS,
          maxConnections: settings.MAX_CONNECTIONS,
          maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
          trustedProxies: settings.TRUSTED_PROXIES,
        },
        new LoadShedder(container.get(LoadGate), settings.CORS_ORIGINS),
      );
    })
    .inSingletonScope();
});
