import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { problemOf } from './problem.ts';
import { requestIdOf } from './request-id.ts';

export interface ServerSettings {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** A request must have arrived whole within this time. */
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

  constructor(
    app: H3,
    private readonly settings: ServerSettings,
  ) {
    // Node's server is used and not h3's serve(), whose own shutdown would race with `stop`; the
    // time-outs are set here.
    const handler = toNodeHandler(app) as (request: unknown, response: unknown) => unknown;
    this.server = createServer(
      {
        requestTimeout: settings.connectionTimeoutMs,
        headersTimeout: Math.min(60_000, settings.connectionTimeoutMs),
        keepAliveTimeout: settings.keepAliveTimeoutMs,
        // How often the server looks for time-outs. With the default of 30 s, a slow request could
        // live half as long again.
        connectionsCheckingInterval: Math.min(
          5_000,
          Math.max(100, settings.connectionTimeoutMs / 4),
        ),
      },
      (request, response) => void handler(request, response),
    );
    this.server.on('connection', (socket) => {
      this.silent.add(socket);
      socket.once('close', () => this.silent.delete(socket));
    });
    this.server.on('request', ({ socket }) => this.silent.delete(socket));
    this.server.on('clientError', refuseUnreadable);
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

/**
 * Bytes that are not HTTP never become a request, but they are answered with a problem document as
 * well.
 */
const refuseUnreadable = (cause: NodeJS.ErrnoException, socket: Socket): void => {
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = cause.code === 'HPE_HEADER_OVERFLOW';
  const error = tooLarge
    ? new NotaryError('PAYLOAD_TOO_LARGE', 'The header of the request is larger than 16 KiB.')
    : new NotaryError(
        'VALIDATION_ERROR',
        cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 'The request did not arrive in time.'
          : 'These bytes are not a whole HTTP/1.1 request.',
      );
  const requestId = requestIdOf(undefined);
  const problem = problemOf(error, { requestId, instance: '' });
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.status === 413 ? 'Content Too Large' : 'Bad Request'}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
