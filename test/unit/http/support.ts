import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { Type, type Static } from 'typebox';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import {
  createRestApp,
  type RestParts,
  type RestSettings,
} from '../../../adapters/rest/rest-adapter.ts';
import { AdmittedCredentials } from '../../../application/call/admitted-credentials.ts';
import { Budgets, type BudgetSettings } from '../../../application/call/budgets.ts';
import { CallGateway } from '../../../application/call/call-gateway.ts';
import { Operations } from '../../../application/call/call-guide.ts';
import { Credentials } from '../../../application/call/credentials.ts';
import type { RunOnce } from '../../../application/idempotency/run-once.ts';
import type { AuthenticateBearer } from '../../../application/identity/authenticate-bearer.ts';
import { Cursors } from '../../../application/call/cursors.ts';
import type { CallContext } from '../../../application/call/call-context.ts';
import { operation } from '../../../application/call/operation.ts';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';
import { IdempotentCalls } from '../../../application/call/idempotent-calls.ts';
import type { RateLimiter } from '../../../application/limits/rate-limiter.port.ts';
import { bind, type RestBinding } from '../../../adapters/rest/binding.ts';
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

type Authentication = Pick<AuthenticateBearer, 'execute'>;

const AUTHENTICATION: Authentication = {
  execute: async ({ token }) => {
    if (token === undefined) throw new NotaryError('UNAUTHORIZED', 'The API key is missing.');
    const caller = CALLERS.get(token);
    if (!caller) throw new NotaryError('UNAUTHORIZED', 'Invalid or inactive API key.');
    return caller;
  },
};

/** Keeps answers as the database does: one a scope. */
export class MemoryOnce implements Pick<RunOnce, 'find' | 'keep'> {
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
  bindings: readonly RestBinding[],
  settings: Partial<RestSettings> & {
    readonly limits?: BudgetSettings;
    readonly limiter?: RateLimiter;
    readonly authentication?: Authentication;
    readonly once?: MemoryOnce;
  } = {},
  overrides: Partial<RestParts> = {},
  drainMs = 2_000,
): Promise<Running> => {
  const lines: LogFields[] = [];
  const write = (fields: LogFields): void => void lines.push(fields);
  const {
    limits = NO_LIMITS,
    limiter = new SlidingWindowLimiter(),
    authentication = AUTHENTICATION,
    once = new MemoryOnce(),
    ...rest
  } = settings;
  const budgets = new Budgets(limiter, limitKeyOfAddress, limits);
  const inputs = new AjvInputCheck();
  const gateway = new CallGateway({
    credentials: new Credentials(
      authentication,
      budgets,
      new AdmittedCredentials(() => performance.now()),
    ),
    budgets,
    attest: { attest: async () => ({}) },
    inputs,
    idempotentCalls: new IdempotentCalls(once),
    cursors: new Cursors({ mac: (input) => createHmac('sha256', 'test').update(input).digest() }),
    operations: new Operations(bindings.map(({ operation: one }) => one)),
    useCaseOf: (UseCase) => new UseCase(),
  });
  const app = createRestApp(
    [],
    {
      gateway,
      inputs,
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
    bindings,
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

const ThingInput = Type.Object(
  {
    name: Type.String(),
    note: Type.Optional(Type.String()),
    data: Type.Optional(JsonObjectSchema),
  },
  { additionalProperties: false },
);

/** An operation that gives back what it was given, and counts how often it acted. */
export const thingRoute = (
  act: (input: { readonly name: string }) => unknown = (input) => input,
  once = new MemoryOnce(),
): {
  readonly row: RestBinding;
  readonly acted: { count: number };
  readonly once: MemoryOnce;
} => {
  const acted = { count: 0 };
  class CreateThing {
    async execute(context: CallContext, input: Static<typeof ThingInput>): Promise<unknown> {
      acted.count++;
      const result = await act(input);
      // What a use case does inside its transaction.
      if (context.once) await once.keep(context.once, context.once.render(result));
      return result;
    }
  }
  const createThing = operation({
    id: 'createThing',
    words: { summary: 'Create a thing', group: 'Things' },
    effect: 'write',
    access: () => ({ scope: 'records:write' }),
    input: ThingInput,
    examples: { one: { name: 'a' } },
    output: Type.Unknown(),
    result: { description: 'The thing', example: { name: 'a' } },
    useCase: CreateThing,
    view: (view) => ({ view }),
  });
  const location = (): string => '/v1/things/1';
  const row = bind(createThing, { method: 'POST', path: '/v1/things', status: 201, location });
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
