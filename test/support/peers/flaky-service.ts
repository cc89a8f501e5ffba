import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from './answering-server.ts';
import { realFetch } from '../clients/real-fetch.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A service that fails as it is told to, or a real one behind a network that does. It remembers what came. */
export class FlakyService extends AnsweringServer {
  readonly seen: SeenRequest[] = [];
  /** How it answers the request of this number, from 1 on. */
  behave: (response: ServerResponse, count: number, request: SeenRequest) => unknown = (response) =>
    void json(response, 200, {});

  protected async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request = {
      method: String(incoming.method),
      path: String(incoming.url),
      headers: incoming.headers,
      body: Buffer.concat(parts).toString(),
    };
    this.seen.push(request);
    await this.behave(response, this.seen.length, request);
  }

  static async open(): Promise<FlakyService> {
    return new FlakyService().start();
  }

  /** What the real one answers to the request. */
  static forward(to: string, { method, path, headers, body }: SeenRequest): Promise<Response> {
    const { authorization = '', 'content-type': type, 'idempotency-key': key } = headers;
    return realFetch()(`${to}${path}`, {
      method,
      headers: {
        authorization,
        ...(type ? { 'content-type': type } : {}),
        ...(key ? { 'idempotency-key': String(key) } : {}),
      },
      ...(body ? { body } : {}),
    });
  }
}

export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

export const problem = (
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  changes: object = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(
    JSON.stringify({
      code,
      status,
      detail: `refused as ${code}`,
      requestId: 'r-1',
      retryable: status === 429 || status >= 500,
      suggestion: 'Do something else.',
      ...changes,
    }),
  );
};
