import type { ClientRequest } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** How long a connection may be idle, ms. A receiver that says less gets less. */
const IDLE_MS = 30_000;
/** Idle connections to one place. */
const PER_PLACE = 8;
/** Places with idle connections. */
const PLACES = 512;

/**
 * The connections of one purpose. One is used again only for the same name, port and address; whether the address may
 * be gone to is asked anew for each request, before a connection is sought by it.
 *
 * It is not the global agent, because the environment can make that use a proxy.
 */
export class KeptConnections extends Agent {
  constructor(options: AgentOptions) {
    super({
      ...options,
      keepAlive: true,
      timeout: IDLE_MS,
      maxFreeSockets: PER_PLACE,
      maxCachedSessions: 0,
    });
  }

  /** Everything else in which requests differ is no matter of the connection. The name of Node's own holds every root. */
  override getName(options: RequestOptions = {}): string {
    return `${options.servername} ${options.host} ${options.port}`;
  }

  /** Node reads what it returns, though its types say nothing of it. */
  override keepSocketAlive(socket: Duplex): boolean {
    const isKept =
      Object.keys(this.freeSockets).length < PLACES &&
      (super.keepSocketAlive(socket) as unknown as boolean);
    if (isKept) socket.on('data', unasked);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('data', unasked);
    super.reuseSocket(socket, request);
  }

  /** Closes what is idle at a place, for a receiver that closed one closed the others too. */
  forget(place: RequestOptions): void {
    for (const socket of this.freeSockets[this.getName(place)] ?? []) socket.destroy();
  }
}

/** Node reads and drops what comes on an idle connection, without end, and takes it for life. Nobody asked for anything. */
function unasked(this: Duplex): void {
  this.destroy();
}
