import { connect } from 'node:net';
import { HttpServer } from '../../../adapters/http/server.ts';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { InlineJsonReader } from '../../../adapters/json-work/inline-json-reader.ts';
import { bind, type RestBinding } from '../../../adapters/rest/binding.ts';
import { createRestApp } from '../../../adapters/rest/rest-adapter.ts';
import type { LogFields } from '../../../application/ports/log.port.ts';
import { createThing, gatewayOf, type Act, type Given } from '../call/support.ts';

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly lines: LogFields[];
  readonly stop: () => Promise<void>;
}

interface HttpGiven extends Given {
  readonly handlerTimeoutMs?: number;
  readonly corsOrigins?: readonly string[];
}

/** The real front-end on a real socket; only the credentials and the use cases are made up. */
export const start = async (
  bindings: readonly RestBinding[],
  given: HttpGiven = {},
  drainMs = 2_000,
): Promise<Running> => {
  const lines: LogFields[] = [];
  const write = (fields: LogFields): void => void lines.push(fields);
  const gateway = gatewayOf({
    operations: bindings.map(({ operation }) => operation),
    ...given,
  });
  const app = createRestApp(
    [],
    {
      gateway,
      inputs: new AjvInputCheck(),
      json: new InlineJsonReader({ maxDepth: 64 }),
      clientAddress: (socket) => socket,
      log: { debug: write, info: write, warn: write, error: write },
    },
    {
      baseUrl: 'http://notary.test',
      maxBodyBytes: 4096,
      handlerTimeoutMs: given.handlerTimeoutMs ?? 5_000,
      corsOrigins: given.corsOrigins ?? [],
    },
    bindings,
  );
  const server = new HttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    connectionTimeoutMs: 60_000,
    keepAliveTimeoutMs: 72_000,
    drainMs,
    maxConnections: 100,
    maxConnectionsPerAddress: 0,
    trustedProxies: [],
  });
  const { port } = await server.start();
  return { url: `http://127.0.0.1:${port}`, port, server, lines, stop: () => server.stop() };
};

/** Gives back what it was given. */
export const thingBinding = bind(createThing, {
  method: 'POST',
  path: '/v1/things',
  status: 201,
  location: () => '/v1/things/1',
});

/** Counts how often it acted. */
export const counted = (
  act: Act = (input) => input,
): { readonly act: Act; readonly acted: { count: number } } => {
  const acted = { count: 0 };
  return {
    acted,
    act: (input, context) => {
      acted.count++;
      return act(input, context);
    },
  };
};

export const post = (
  url: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer writer', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** A JSON object as a test reads it. */
export type Members = { readonly [member: string]: unknown };

export const json = async (response: Response): Promise<Members> =>
  (await response.json()) as Members;

/** Bytes as they are, and everything that comes back until the connection ends or is quiet. */
export const raw = (
  port: number,
  send: (write: (bytes: string | Uint8Array) => void, end: () => void) => void | Promise<void>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (part) => {
      text += part.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(done, 200);
    });
    socket.on('close', done);
    socket.on('error', () => (text === '' ? reject(new Error('connection failed')) : done()));
    socket.on(
      'connect',
      () =>
        void send(
          (bytes) => socket.write(bytes),
          () => socket.end(),
        ),
    );
    setTimeout(done, 5_000).unref();
  });
