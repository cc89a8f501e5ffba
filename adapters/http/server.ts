import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import { refuseSocket } from './refuse-socket.ts';

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
  /** Connections that have not sent a request yet; the server itself does not count them as idle. */
  private readonly silent = new Set<Socket>();
  private readonly connections: Connections;
  /** The newest answer of each connection. */
  private readonly answers = new WeakMap<Socket, ServerResponse>();
  private refusals = 0;

  constructor(
    app: H3,
    private readonly settings: ServerSettings,
  ) {
    this.connections = new Connections(settings);
    const checkMs = Math.min(5_000, Math.max(100, settings.connectionTimeoutMs / 4));
    // Node's server is used and not h3's serve(), whose own shutdown would race with `stop`; the
    // time-outs are set here.
    const handler = toNodeHandler(app) as (request: unknown, response: unknown) => unknown;
    this.server = createServer(
      {
        requestTimeout: settings.connectionTimeoutMs,
        headersTimeout: Math.min(20_000, settings.connectionTimeoutMs),
        keepAliveTimeout: settings.keepAliveTimeoutMs,
        // How often the server looks for time-outs. With the default of 30 s, a slow request could
        // live half as long again.
        connectionsCheckingInterval: checkMs,
      },
      (request, response) =>
        this.inTurn(request.socket, response, () => void handler(request, response)),
    );
    // Of a connection on which nothing moves: above all, whose answer nobody reads. Longer than any
    // handler takes. Node destroys the socket.
    this.server.timeout = settings.connectionTimeoutMs + 2 * checkMs;
    this.guardConnections();
    this.server.on('request', ({ socket }) => this.silent.delete(socket));
    this.server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) =>
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
    const before = this.answers.get(socket);
    this.answers.set(socket, response);
    if (!before || before.writableFinished || before.destroyed) begin();
    else before.once('close', () => socket.destroyed || begin());
  }

  /** Puts the limits before Node's own listener, which would begin to read requests. */
  private guardConnections(): void {
    const listeners = this.server.listeners('connection') as ((socket: Socket) => void)[];
    this.server.removeAllListeners('connection');
    this.server.on('connection', (socket: Socket) => {
      const refusal = this.connections.admit(socket);
      if (refusal) return this.turnAway(socket, refusal);
      this.silent.add(socket);
      socket.once('close', () => this.silent.delete(socket));
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

  private refuseUnreadable(cause: NodeJS.ErrnoException, socket: Socket): void {
    const answer = this.answers.get(socket);
    const isAnswered = answer?.headersSent && !(answer.writableFinished && answer.req.complete);
    if (cause.code === 'ECONNRESET' || !socket.writable || isAnswered) return void socket.destroy();
    refuseSocket(socket, unreadable(cause));
  }

  /** Takes no more connections, lets running requests finish, and cuts off those that are not done in time. */
  async stop(): Promise<void> {
    const { server } = this;
    if (!server.listening) return;
    const cut = setTimeout(() => server.closeAllConnections(), this.settings.drainMs);
    // A kept-alive connection becomes idle after its answer; it must not delay the shutdown.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    try {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        for (const socket of this.silent) socket.destroy();
      });
    } finally {
      clearTimeout(cut);
      clearInterval(sweep);
    }
  }
}

const MAX_REFUSALS = 64;

/**
 * Bytes that are not HTTP, or do not arrive in time, never become a request, but they are answered
 * with a problem document as well.
 */
const unreadable = (cause: NodeJS.ErrnoException): NotaryError =>
  cause.code === 'HPE_HEADER_OVERFLOW'
    ? new NotaryError('PAYLOAD_TOO_LARGE', 'The header of the request is larger than 16 KiB.')
    : new NotaryError(
        'VALIDATION_ERROR',
        cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 'The request did not arrive in time.'
          : 'These bytes are not a whole HTTP/1.1 request.',
      );
