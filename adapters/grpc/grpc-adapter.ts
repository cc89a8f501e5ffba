import { setMaxListeners } from 'node:events';
import type { DescService } from '@bufbuild/protobuf';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { AdminService } from './generated/notary/v1/admin_service_pb.ts';
import { DisputeService } from './generated/notary/v1/dispute_service_pb.ts';
import { EventService } from './generated/notary/v1/event_service_pb.ts';
import { RecordService } from './generated/notary/v1/record_service_pb.ts';
import { VaultService } from './generated/notary/v1/vault_service_pb.ts';
import { Admissions, type AdmissionParts } from './admissions.ts';
import { CallGuard } from './call-guard.ts';
import { ExportEndpoint } from './export-endpoint.ts';
import { GrpcServer, type GrpcServerSettings, type Served } from './grpc-server.ts';
import { nameOf } from './method.ts';
import { UNARY } from './methods.ts';
import { NotarizeEndpoint, type NotarizeParts } from './notarize-endpoint.ts';
import { definitionOf } from './service-definition.ts';
import { showsFor } from './shows.ts';
import { Health, reflectionOf } from './standard-services.ts';
import { SubscribeEndpoint } from './subscribe-endpoint.ts';
import { UnaryEndpoint, type EndpointParts } from './unary-endpoint.ts';

export const SERVICES: readonly DescService[] = [
  RecordService,
  DisputeService,
  VaultService,
  EventService,
  AdminService,
];

/** The gRPC front-end: the methods of the services, health and reflection, on one server. */
export const createGrpcServer = (
  {
    clientAddress,
    load,
    line,
    tracer = null,
    onCalled = null,
    isReady,
    ...given
  }: Omit<EndpointParts, 'stopping' | 'admissions'> &
    Pick<AdmissionParts, 'clientAddress' | 'load' | 'tracer' | 'onCalled'> &
    Pick<NotarizeParts, 'line'> & { readonly isReady: () => Promise<boolean> },
  settings: GrpcServerSettings,
): GrpcServer => {
  const stopping = new AbortController();
  // One listener a stream, however many there are.
  setMaxListeners(0, stopping.signal);
  const admissions = new Admissions({ ...given, clientAddress, load, tracer, onCalled });
  const guard = new CallGuard({ admissions, stallMs: given.stallMs });
  const parts: EndpointParts = { ...given, admissions, stopping: stopping.signal };
  const shows = showsFor(UNARY);
  const handlers = new Map<string, UntypedServiceImplementation[string]>();
  for (const method of UNARY)
    handlers.set(nameOf(method.method), new UnaryEndpoint(method, parts, shows).handle);
  handlers.set(nameOf(VaultService.method.export), new ExportEndpoint(parts).handle);
  handlers.set(nameOf(EventService.method.subscribe), new SubscribeEndpoint(parts, shows).handle);
  handlers.set(
    nameOf(RecordService.method.notarizeStream),
    new NotarizeEndpoint({ ...parts, load, line }).handle,
  );
  const served: readonly Served[] = SERVICES.map((service) => ({
    definition: definitionOf(service),
    handlers: handlersOf(service, handlers),
  }));
  const health = new Health(SERVICES, isReady);
  return new GrpcServer(
    [...served, ...health.served, ...reflectionOf(SERVICES)],
    settings,
    guard.interceptor,
    () => {
      health.stop();
      stopping.abort();
      guard.stop();
    },
  );
};

/** @throws TypeError where a method of the service has nobody who answers it. */
const handlersOf = (
  service: DescService,
  all: ReadonlyMap<string, UntypedServiceImplementation[string]>,
): UntypedServiceImplementation =>
  Object.fromEntries(
    service.methods.map((method) => {
      const handler = all.get(nameOf(method));
      if (!handler) throw new TypeError(`nobody answers ${nameOf(method)}`);
      return [method.localName, handler];
    }),
  );
