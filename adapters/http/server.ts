import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { failBody } from './body-fault.ts';
import { ConnectionDrain } from './connection-drain.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import { endGently, refuseSocket } from './refuse-socket.ts';
import type { LoadShedder } from './load-shedder.ts';
import { requestIdOf } from './request-id.ts';
import { unreadable, type Unreadable } from './unreadable.ts';

export interface ServerSettings extends ConnectionLimits {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /**
   * A request must have arrived whole within this time, and its caller may stop reading the answer
   * for no longer.
   */
  readonly connectionTimeoutMs: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveTimeoutMs: number;
  /** How long `stop` waits for running requests before it cuts them off. */
  readonly drainMs: number;
}

/** The HTTP server of an app. */
export class HttpServer {
  private readonly server: Server;
  private readonly drain = new ConnectionDrain();
  private readonly connections: Connections;
  /** The newest answer of each connection. */
  private readonly answers = new WeakMap<Socket, ServerResponse>();
  /** Connections that sent what cannot be read: nothing more is heard of them. */
  private readonly spoilt = new WeakSet<Socket>();
  private refusals = 0;

  constructor(
    app: H3,
    private readonly settings: ServerSettings,
    shedder?: Pick<LoadShedder, 'refused'>,
  ) {
    this.connections = new Connections(settings);
    const checkMs = Math.min(5_000, Math.max(100, settings.connectionTimeoutMs / 4));
    // Node's server is used and not h3's serve(), whose own shutdown would race with `stop`; the
    // time-outs are set here.
    const handler = toNodeHandler(app) as (request: unknown, response: unknown) => unknown;
    const serve = (request: IncomingMessage, response: ServerResponse): void =>
      this.inTurn(request.socket, response, () => {
        if (!shedder?.refused(request, response)) void handler(request, response);
      });
    this.server = createServer(
      {
        requestTimeout: settings.connectionTimeoutMs,
        headersTimeout: Math.min(20_000, settings.connectionTimeoutMs),
        keepAliveTimeout: settings.keepAliveTimeoutMs,
        // How often the server looks for time-outs. With the default of 30 s, a slow request could
        // live half as long again.
        connectionsCheckingInterval: checkMs,
        // The app refuses such a request, with a problem document.
        requireHostHeader: false,
      },
      serve,
    );
    // All lines are collected, which the 16 KiB of a head bound: Node drops those beyond its count without a sign, and a
    // header that decides could be among them. The app refuses more than a few hundred.
    this.server.maxHeadersCount = 0;
    this.server.on('checkExpectation', serve);
    // Of a connection on which nothing moves: above all, whose answer nobody reads. Longer than any
    // handler takes. Node destroys the socket.
    this.server.timeout = settings.connectionTimeoutMs + 2 * checkMs;
    this.guardConnections();
    this.server.on('connect', (request: IncomingMessage, socket: Socket) =>
      this.refuseTunnel(request, socket),
    );
    this.server.on('clientError', (cause: Unreadable, socket: Socket) =>
      this.refuseUnreadable(cause, socket),
    );
  }

  get openConnections(): number {
    return this.connections.size;
  }

  /**
   * Resolves with the address once the server accepts connections; rejects where the port is not
   * available.
   */
  start(): Promise<{ readonly host: string; readonly port: number }> {
    const { server, settings } = this;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.port, settings.host, () => {
        server.off('error', reject);
        const { address, port } = server.address() as AddressInfo;
        resolve({ host: address, port });
      });
    });
  }

  /**
   * Of requests that one connection sends ahead, the next is begun when the answer before it is sent: all at once, they
   * would hold as many answers as a caller likes, and count as one connection.
   */
  private inTurn(socket: Socket, response: ServerResponse, begin: () => void): void {
    // The answer before said that the connection ends with it, so this request must not be begun.
    if (!socket.writable) return;
    const before = this.answers.get(socket);
    this.answers.set(socket, response);
    this.drain.began(socket, response);
    afterAnswer(before, socket, begin);
  }

  /** Puts the limits before Node's own listener, which would begin to read requests. */
  private guardConnections(): void {
    const listeners = this.server.listeners('connection') as ((socket: Socket) => void)[];
    this.server.removeAllListeners('connection');
    this.server.on('connection', (socket: Socket) => {
      const refusal = this.connections.admit(socket);
      if (refusal) return this.turnAway(socket, refusal);
      this.drain.opened(socket);
      for (const listener of listeners) listener.call(this.server, socket);
    });
  }

  /** Beyond a few refusals at once, connections are closed without a word. */
  private turnAway(socket: Socket, refusal: NotaryError): void {
    socket.on('error', () => socket.destroy());
    if (this.refusals >= MAX_REFUSALS) return void socket.destroy();
    this.refusals++;
    socket.once('close', () => this.refusals--);
    socket.resume();
    refuseSocket(socket, refusal);
  }

  /** Where the head of a request was read, the request is answered as any other, and the connection ends with it. */
  private refuseUnreadable(cause: Unreadable, socket: Socket): void {
    if (this.spoilt.has(socket)) return;
    this.spoilt.add(socket);
    if (cause.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const answer = this.answers.get(socket);
    if (!answer || answer.req.complete)
      return afterAnswer(answer, socket, () => refuseSocket(socket, unreadable(cause, false)));
    if (answer.headersSent) return void socket.destroy();
    answer.shouldKeepAlive = false;
    socket.destroySoon = () => endGently(socket);
    failBody(answer.req, unreadable(cause, true));
  }

  /** RFC 9110 section 9.3.6: this is no proxy. Node's parser has let go of the connection. */
  private refuseTunnel({ headers }: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(this.server.timeout, () => socket.destroy());
    socket.resume();
    const id = headers['x-request-id'];
    const requestId = requestIdOf(typeof id === 'string' ? id : undefined);
    afterAnswer(this.answers.get(socket), socket, () =>
      refuseSocket(socket, tunnelRefused(), {
        requestId,
        headers: [`Allow: ${METHODS.join(', ')}`],
      }),
    );
  }

  /**
   * Takes no more connections, lets running requests finish, and cuts off those that are not done in time. Each answer
   * from here on ends its connection.
   */
  async stop(): Promise<void> {
    const { server, drain } = this;
    if (!server.listening) return;
    drain.begin();
    const cut = setTimeout(() => server.closeAllConnections(), this.settings.drainMs);
    const sweep = setInterval(() => drain.closeQuiet(), 50);
    try {
      await new Promise<void>((resolve) => {
        // The close() of an HTTP server would also close connections whose next request is on its way.
        NetServer.prototype.close.call(server, () => resolve());
        drain.closeQuiet();
      });
    } finally {
      clearTimeout(cut);
      clearInterval(sweep);
      // Ends the timer by which the HTTP server looks for time-outs.
      server.close();
    }
  }
}

const MAX_REFUSALS = 64;

/** Once the answer before is sent, unless the connection ends with it. */
const afterAnswer = (
  before: ServerResponse | undefined,
  socket: Socket,
  begin: () => void,
): void => {
  if (!before || before.writableFinished || before.destroyed) begin();
  else before.once('close', () => socket.writable && begin());
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const tunnelRefused = (): NotaryError =>
  new NotaryError('METHOD_NOT_ALLOWED', 'CONNECT is not taken: this service is no proxy.', {
    allowedValues: METHODS,
  });
