import type { Agent } from 'node:http';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsAuthority } from '../peers/tls-authority.ts';

/** What somebody between two hubs sees and may do to it. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

export interface PassingAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * TLS in front of a hub, at an address that stays while the hub is killed and started again. It can be shut, as a
 * network that is cut, and tell a test what passes.
 */
export class HubDoor {
  url = '';
  /** Where the hub listens now; null: nothing does. */
  hub: string | null = null;
  isShut = false;
  /** With these a connection to the hub is kept, as proxies do; a hub that was killed breaks them. */
  connections: Agent | false = false;
  /** Before a request reaches the hub; it may throw, and the request never arrives. */
  onRequest: (passing: Passing) => void | Promise<void> = () => undefined;
  /** Before the answer leaves; it may throw, and the answer is lost. */
  onAnswer: (passing: Passing, answer: PassingAnswer) => void | Promise<void> = () => undefined;
  /** The same bytes reach the hub a second time, after the first; nobody gets that answer. */
  isSentTwice: (passing: Passing) => boolean = () => false;
  readonly passed: Passing[] = [];
  private server!: Server;

  static async open(authority: TlsAuthority): Promise<HubDoor> {
    const door = new HubDoor();
    const identity = await authority.issue({ names: ['localhost'] });
    door.server = createServer(identity, (request, response) => {
      door.pass(request, response).catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => door.server.listen(0, '127.0.0.1', resolve));
    door.url = `https://localhost:${(door.server.address() as AddressInfo).port}`;
    return door;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const passing = {
      method: String(request.method),
      path: String(request.url),
      body: Buffer.concat(parts),
    };
    if (this.isShut || this.hub === null) throw new Error('nobody is at home');
    await this.onRequest(passing);
    this.passed.push(passing);
    const answer = await this.ask(this.hub, request, passing);
    if (this.isSentTwice(passing)) await this.ask(this.hub, request, passing);
    await this.onAnswer(passing, answer);
    if (this.isShut) throw new Error('the network was cut');
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  private ask(
    hub: string,
    { headers }: IncomingMessage,
    { method, path, body }: Passing,
  ): Promise<PassingAnswer & { readonly headers: IncomingMessage['headers'] }> {
    return new Promise((resolve, reject) => {
      const asked = httpRequest(
        `${hub}${path}`,
        { method, headers, agent: this.connections },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers;
            resolve({
              status: Number(answer.statusCode),
              body: Buffer.concat(parts),
              headers: kept,
            });
          });
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
