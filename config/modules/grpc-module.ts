import type { Container } from 'inversify';
import { createGrpcServer } from '../../adapters/grpc/grpc-adapter.ts';
import type { GrpcServer } from '../../adapters/grpc/grpc-server.ts';
import { ClientAddresses } from '../../adapters/limits/client-address.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { LoadGate } from '../../application/call/load-gate.ts';
import { LoadLine } from '../../application/call/load-line.ts';
import { CheckHealth, isReady } from '../../application/operations/check-health.ts';
import { TOKENS as t } from '../tokens.ts';

/** How long a stop waits for running calls, ms; the process has 25 s in all. */
const DRAIN_MS = 20_000;

/** The gRPC front-end. Loaded by whoever wants it: its libraries take time and memory that others keep. */
export const grpcServerOf = (container: Container, port: number): GrpcServer => {
  const settings = container.get(t.settings);
  const addresses = new ClientAddresses(settings.TRUSTED_PROXIES);
  const metrics = container.get(Metrics);
  const health = container.get(CheckHealth);
  const { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CLIENT_CA: clientCa } = settings;
  return createGrpcServer(
    {
      gateway: container.get(CallGateway),
      json: container.get(t.jsonReader),
      clientAddress: (socket, forwardedFor) => addresses.resolve(socket, forwardedFor),
      log: container.get(t.log),
      load: container.get(LoadGate),
      line: container.get(LoadLine),
      tracer: container.get(t.tracer),
      onCalled: (...call) => metrics.called(...call),
      isReady: async () => isReady(await health.execute()),
      maxFields: settings.MAX_BODY_VALUES,
      handlerTimeoutMs: settings.HANDLER_TIMEOUT_MS,
      stallMs: settings.CONNECTION_TIMEOUT_MS,
    },
    {
      host: settings.HOST,
      port,
      tls: cert === '' ? null : { cert, key, clientCa: clientCa || null },
      maxMessageBytes: settings.MAX_BODY_BYTES,
      idleMs: settings.KEEP_ALIVE_TIMEOUT_MS,
      drainMs: DRAIN_MS,
      maxConnections: settings.MAX_CONNECTIONS,
      maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
      trustedProxies: settings.TRUSTED_PROXIES,
    },
  );
};
