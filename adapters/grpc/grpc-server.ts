import type { Http2Server, Settings } from 'node:http2';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import {
  Server,
  ServerCredentials,
  type ServerInterceptor,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Connections, type ConnectionLimits } from '../http/connections.ts';
import { closeDeadSession } from './close-dead-session.ts';

export interface GrpcServerSettings extends ConnectionLimits {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** PEM; null: in the clear. */
  readonly tls: {
    readonly cert: string;
    readonly key: string;
    readonly clientCa: string | null;
  } | null;
  /** The largest message that is taken. */
  readonly maxMessageBytes: number;
  /** An idle connection is closed after this time. */
  readonly idleMs: number;
  /** How long `stop` waits for running calls before it cuts them off. */
  readonly drainMs: number;
}

/** A service and what answers its methods. */
export interface Served {
  readonly definition: ServiceDefinition;
  readonly handlers: UntypedServiceImplementation;
}

/** Streams that one connection may have open at once. */
const MAX_STREAMS = 1_000;

/** The metadata of one call, in the octets that SETTINGS_MAX_HEADER_LIST_SIZE counts (RFC 9113 section 6.5.2). */
const MAX_METADATA_BYTES = 64 * 1024;

/** Private members of grpc-js, which has no option for the size of metadata and no event for a new connection. */
interface Inner {
  readonly commonServerOptions: { settings?: Settings };
  readonly http2Servers: ReadonlyMap<Http2Server, unknown>;
}

/** The gRPC server. Connections are taken by a listener of this process, which limits them as those of HTTP. */
export class GrpcServer {
  private readonly server: Server;
  private readonly listener: NetServer;
  private readonly connections: Connections;
  private readonly injector: ReturnType<Server['createConnectionInjector']>;

  /**
   * @param guard stands before every call.
   * @param onStop ends streams that would go on for ever.
   */
  constructor(
    services: readonly Served[],
    private readonly settings: GrpcServerSettings,
    guard: ServerInterceptor,
    private readonly onStop: () => void = () => undefined,
  ) {
    this.connections = new Connections(settings);
    this.server = new Server({
      'grpc.max_receive_message_length': settings.maxMessageBytes,
      'grpc.max_concurrent_streams': MAX_STREAMS,
      'grpc.max_connection_idle_ms': settings.idleMs,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 20_000,
      'grpc.enable_channelz': 0,
      interceptors: [guard],
    });
    const { commonServerOptions, http2Servers } = this.server as unknown as Inner;
    commonServerOptions.settings = {
      ...commonServerOptions.settings,
      maxHeaderListSize: MAX_METADATA_BYTES,
    };
    for (const { definition, handlers } of services) this.server.addService(definition, handlers);
    this.injector = this.server.createConnectionInjector(credentialsOf(settings.tls));
    for (const server of http2Servers.keys()) server.on('session', closeDeadSession);
    this.listener = createServer({ noDelay: true }, (socket) => this.take(socket));
  }

  get openConnections(): number {
    return this.connections.size;
  }

  /** Resolves with the address once the server accepts connections; rejects where the port is not available. */
  start(): Promise<{ readonly host: string; readonly port: number }> {
    const { listener, settings } = this;
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(settings.port, settings.host, () => {
        listener.off('error', reject);
        const { address, port } = listener.address() as AddressInfo;
        resolve({ host: address, port });
      });
    });
  }

  /** Takes no more connections and calls, ends streams, lets running calls finish, and cuts off those that do not in time. */
  async stop(): Promise<void> {
    const { listener, server, injector } = this;
    if (!listener.listening) return;
    listener.close();
    this.onStop();
    const cut = setTimeout(() => server.forceShutdown(), this.settings.drainMs);
    try {
      // GOAWAY on every connection: what runs goes on, and nothing new is begun.
      injector.destroy();
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    } finally {
      clearTimeout(cut);
    }
  }

  /** A connection beyond the limits is closed without a word: nothing of gRPC was said on it yet. */
  private take(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.connections.admit(socket)) socket.destroy();
    else this.injector.injectConnection(socket);
  }
}

const credentialsOf = (tls: GrpcServerSettings['tls']): ServerCredentials => {
  if (!tls) return ServerCredentials.createInsecure();
  const { cert, key, clientCa } = tls;
  return ServerCredentials.createSsl(
    clientCa === null ? null : Buffer.from(clientCa),
    [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }],
    clientCa !== null,
  );
};
