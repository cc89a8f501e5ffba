import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endGently } from './refuse-socket.ts';

/**
 * The open connections of a server, and how each of them ends when the server stops.
 *
 * A client may reuse a connection as long as the last answer said keep-alive. So every answer of a stopping server says
 * `Connection: close` (RFC 9112 section 9.6), and a connection that was just answered stays open a little longer,
 * because the next request may be on its way already.
 */
export class ConnectionDrain {
  private readonly open = new Map<Socket, OpenConnection>();
  /** When the stop began, null before it. */
  private since: number | null = null;

  opened(socket: Socket): void {
    this.open.set(socket, { newest: null, running: 0, quietSince: now(), bytesRead: 0 });
    socket.once('close', () => this.open.delete(socket));
  }

  /** The head of a request arrived; `response` is its answer. */
  began(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    // The request was sent ahead of the answer before it, and would be lost if that answer ended the connection.
    if (connection.newest) keepAgain(connection.newest);
    connection.newest = response;
    connection.running++;
    if (this.since !== null) endAfter(response, socket);
    response.once('close', () => {
      connection.running--;
      connection.quietSince = now();
      connection.bytesRead = socket.bytesRead;
    });
  }

  /** From here on, each answer whose head is not sent yet says that its connection ends with it. */
  begin(): void {
    this.since = now();
    for (const [socket, { newest, running }] of this.open)
      if (newest && running > 0) endAfter(newest, socket);
  }

  /** Closes the connections on which no request is running, and none can be on its way. */
  closeQuiet(): void {
    const since = this.since ?? now();
    for (const [socket, { running, quietSince, bytesRead }] of this.open) {
      const isMidHead = socket.bytesRead !== bytesRead;
      const due = isMidHead ? since + HEAD_MS : quietSince + REUSE_MS;
      if (running === 0 && now() >= due) socket.destroy();
    }
  }
}

interface OpenConnection {
  newest: ServerResponse | null;
  /** How many answers are not sent yet. */
  running: number;
  /** When the connection was opened, or its last answer was sent. */
  quietSince: number;
  /** How many bytes had arrived at `quietSince`. */
  bytesRead: number;
}

/** A client that sends request after request has sent the next one by then, also across a continent. */
const REUSE_MS = 300;

/** How long a stopping server waits for the rest of a head that has begun to arrive. */
const HEAD_MS = 1_000;

const now = (): number => performance.now();

/** Answers that say `close` only because the server stops. */
const ended = new WeakSet<ServerResponse>();

const endAfter = (response: ServerResponse, socket: Socket): void => {
  if (response.headersSent || !response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  ended.add(response);
  // A client that sends more before it reads the answer must not lose the answer by a reset.
  socket.destroySoon = () => endGently(socket);
};

const keepAgain = (response: ServerResponse): void => {
  if (response.headersSent || !ended.delete(response)) return;
  response.shouldKeepAlive = true;
};
