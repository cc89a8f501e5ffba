import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server on this machine that a test plays, over TLS where it has a certificate. */
export abstract class AnsweringServer {
  url = '';
  private server!: Server;

  async start(tls?: { readonly key: string; readonly cert: string }): Promise<this> {
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.answer(request, response).catch(() => response.destroy());
    this.server = tls ? createTlsServer(tls, answer) : createServer(answer);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    this.url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
