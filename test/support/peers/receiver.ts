import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from './answering-server.ts';
import { TlsAuthority, type TlsIdentity } from './tls-authority.ts';
import type { Body } from '../service/world.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  readonly body: Body;
  readonly at: number;
}

type Behave = (received: Received, response: ServerResponse) => void | Promise<void>;

/** A real receiver of webhooks over TLS, which remembers what came. */
export class Receiver extends AnsweringServer {
  readonly received: Received[] = [];
  /** How it answers from now on; 200 unless said otherwise. */
  behave: Behave = (_, response) => void response.end('ok');

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const raw = Buffer.concat(parts).toString('utf8');
    const received: Received = {
      path: String(request.url),
      headers: request.headers,
      raw,
      body: JSON.parse(raw) as Body,
      at: Date.now(),
    };
    this.received.push(received);
    await this.behave(received, response);
  }

  /** The ids of the events that came, in their order. */
  get ids(): readonly string[] {
    return this.received.map(({ body }) => String(body['id']));
  }

  static async open(identity: TlsIdentity): Promise<Receiver> {
    return new Receiver().start(identity);
  }
}

/** An authority that the service is to trust, and a certificate of localhost. */
export const receiverTls = async (): Promise<{
  readonly ca: string;
  readonly identity: TlsIdentity;
}> => {
  const authority = await TlsAuthority.create();
  const identity = await authority.issue({ names: ['localhost'], addresses: [[127, 0, 0, 1]] });
  return { ca: authority.pem, identity };
};

/** By interface 6.4, written from its words alone. */
export const hmacHolds = ({ headers, raw }: Received, secret: string): boolean => {
  const parts = String(headers['x-service-signature']).split(',');
  const t = parts[0]!.slice(2);
  const expected = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  return (
    Math.abs(Date.now() / 1000 - Number(t)) < 300 &&
    parts.slice(1).some((part) => part === `v1=${expected}`)
  );
};

export const until = async (
  is: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await is())) {
    if (Date.now() > deadline) throw new Error(`it did not become so within ${withinMs} ms: ${is}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};
