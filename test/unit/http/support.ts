import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { createRestApp, type RestSettings } from '../../../adapters/rest/rest-adapter.ts';
import { AdmittedCredentials } from '../../../application/call/admitted-credentials.ts';
import { Budgets, type BudgetSettings } from '../../../application/call/budgets.ts';
import { CallGateway } from '../../../application/call/call-gateway.ts';
import { Operations } from '../../../application/call/call-guide.ts';
import { Credentials, type Authentication } from '../../../application/call/credentials.ts';
import { Cursors } from '../../../application/call/cursors.ts';
import { IdempotentCalls } from '../../../application/call/idempotent-calls.ts';
import type { RateLimiter } from '../../../application/limits/rate-limiter.port.ts';
import type { OnceStore } from '../../../adapters/http/idempotency.ts';
import type { PipelineDependencies } from '../../../adapters/http/pipeline.ts';
import { route, type Route } from '../../../adapters/http/route.ts';
import { HttpServer } from '../../../adapters/http/server.ts';
import { limitKeyOfAddress } from '../../../adapters/limits/client-address.ts';
import { SlidingWindowLimiter } from '../../../adapters/limits/sliding-window.ts';
import type { KeptAnswer } from '../../../application/idempotency/idempotency-store.port.ts';
import type { LogFields } from '../../../application/log.port.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { OnceKey } from '../../../application/call/call-context.ts';
import { expandScopes, type Role, type Scope } from '../../../domain/identity/scopes.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

export const NO_LIMITS = {
  agent: 0,
  admin: 0,
  platform: 0,
  recordsCreate: 0,
  anonymous: 0,
  operationMultiplier: 1,
};

export const callerOf = (name: string, role: Role, scopes: readonly Scope[]): Caller => ({
  role,
  authType: 'api_key',
  apiKeyId: `key-${name}`,
  agentId: `agent-${name}`,
  orgId: role === 'platform' ? null : 'org-1',
  name,
  allowedIps: null,
  cert: null,
  oidc: null,
  scopes,
  allowed: expandScopes(scopes),
});

/** Tokens and whom they open the door for. */
export const CALLERS: ReadonlyMap<string, Caller> = new Map([
  ['writer', callerOf('writer', 'agent', ['records:write'])],
  ['other', callerOf('other', 'agent', ['records:write'])],
  ['reader', callerOf('reader', 'agent', ['records:read'])],
  ['admin', callerOf('admin', 'admin', ['admin:keys', 'records:write'])],
  ['platform', callerOf('platform', 'platform', ['admin:system'])],
]);

const AUTHENTICATION: Authentication = {
  execute: async ({ token }) => {
    if (token === undefined) throw new NotaryError('UNAUTHORIZED', 'The API key is missing.');
    const caller = CALLERS.get(token);
    if (!caller) throw new NotaryError('UNAUTHORIZED', 'Invalid or inactive API key.');
    return caller;
  },
};

/** Keeps answers as the database does: one a scope. */
export class MemoryOnce implements OnceStore {
  readonly kept = new Map<string, KeptAnswer>();

  find(scope: Uint8Array): Promise<KeptAnswer | null> {
    return Promise.resolve(this.kept.get(Buffer.from(scope).toString('hex')) ?? null);
  }

  keep(once: OnceKey, answer: string): Promise<void> {
    const name = Buffer.from(once.scope).toString('hex');
    if (!this.kept.has(name))
      this.kept.set(name, {
        scope: once.scope,
        bodyHash: once.bodyHash,
        answer,
        isProvisional: false,
        createdAt: '',
      });
    return Promise.resolve();
  }
}

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly lines: LogFields[];
  readonly stop: () => Promise<void>;
}

/** The real base on a real socket; only the credentials are made up. */
export const start = async (
  routes: readonly Route[],
  settings: Partial<RestSettings> & {
    readonly limits?: BudgetSettings;
    readonly limiter?: RateLimiter;
    readonly authentication?: Authentication;
  } = {},
  overrides: Partial<PipelineDependencies> = {},
  drainMs = 2_000,
): Promise<Running> => {
  const lines: LogFields[] = [];
  const write = (fields: LogFields): void => void lines.push(fields);
  const {
    limits = NO_LIMITS,
    limiter = new SlidingWindowLimiter(),
    authentication = AUTHENTICATION,
    ...rest
  } = settings;
  const budgets = new Budgets(limiter, limitKeyOfAddress, limits);
  const once = new MemoryOnce();
  const attest = { attest: async () => ({}) };
  const cursors = new Cursors((input) => createHmac('sha256', 'test').update(input).digest());
  const gateway = new CallGateway({
    credentials: new Credentials(
      authentication,
      budgets,
      new AdmittedCredentials(() => performance.now()),
    ),
    budgets,
    attest,
    inputs: new AjvInputCheck(),
    idempotentCalls: new IdempotentCalls(once),
    cursors,
    operations: new Operations([]),
    useCaseOf: () => ({ execute: async () => null }),
  });
  const app = createRestApp(
    routes,
    {
      gateway,
      attest,
      budgets,
      once,
      cursors,
      clientAddress: (socket) => socket,
      log: { info: write, warn: write, error: write },
      ...overrides,
    },
    {
      baseUrl: 'http://notary.test',
      maxBodyBytes: 4096,
      maxDepth: 64,
      handlerTimeoutMs: 5_000,
      corsOrigins: [],
      ...rest,
    },
  );
  const server = new HttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    connectionTimeoutMs: 60_000,
    keepAliveTimeoutMs: 72_000,
    drainMs,
  });
  const { port } = await server.start();
  return { url: `http://127.0.0.1:${port}`, port, server, lines, stop: () => server.stop() };
};

const ThingBody = Type.Object(
  {
    name: Type.String(),
    note: Type.Optional(Type.String()),
    data: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  },
  { additionalProperties: false },
);

/** A route that gives back what it was given, and counts how often it acted. */
export const thingRoute = (
  act: (body: { name: string }) => unknown = (body) => body,
  once = new MemoryOnce(),
): { readonly row: Route; readonly acted: { count: number }; readonly once: MemoryOnce } => {
  const acted = { count: 0 };
  const row = route({
    method: 'POST',
    path: '/v1/things',
    operationId: 'createThing',
    summary: 'Create a thing',
    tag: 'Things',
    access: { scope: 'records:write' },
    body: ThingBody,
    examples: { one: { name: 'a' } },
    answers: {},
    execute: async (context, { body }) => {
      acted.count++;
      const result = await act(body);
      // What a use case does inside its transaction.
      if (context.once) await once.keep(context.once, context.once.render(result));
      return result;
    },
    present: (result) => ({ status: 201, headers: { Location: '/v1/things/1' }, body: result }),
  });
  return { row, acted, once };
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
