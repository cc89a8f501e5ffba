import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { limitKeyOfAddress } from '../../../adapters/limits/client-address.ts';
import { SlidingWindowLimiter } from '../../../adapters/limits/sliding-window.ts';
import { AdmittedCredentials } from '../../../application/call/admitted-credentials.ts';
import { Budgets, type BudgetSettings } from '../../../application/call/budgets.ts';
import type { CallContext, IdempotencyClaim } from '../../../application/call/call-context.ts';
import { CallGateway, type GatewayParts } from '../../../application/call/call-gateway.ts';
import { CallsUnderWay } from '../../../application/call/calls-under-way.ts';
import { Operations } from '../../../application/call/call-guide.ts';
import { Credentials } from '../../../application/call/credentials.ts';
import { Cursors } from '../../../application/call/cursors.ts';
import { IdempotentCalls } from '../../../application/call/idempotent-calls.ts';
import { operation, type Operation } from '../../../application/call/operation.ts';
import type { KeptAnswer } from '../../../application/ports/idempotency-store.port.ts';
import type { IdempotentTransaction } from '../../../application/call/idempotent-transaction.ts';
import type { AuthenticateBearer } from '../../../application/identity/authenticate-bearer.ts';
import type { RateLimiter } from '../../../application/ports/rate-limiter.port.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { expandScopes, type Role, type Scope } from '../../../domain/identity/scopes.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

export const NO_LIMITS: BudgetSettings = {
  agent: 0,
  admin: 0,
  platform: 0,
  recordsCreate: 0,
  peer: 0,
  anonymous: 0,
  operationMultiplier: 1,
  callBytes: 0,
  atOnce: { exports: { key: 0, org: 0, node: 0 }, streams: { key: 0, org: 0, node: 0 } },
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

/** Credentials, and whom they let in. */
export const CALLERS: ReadonlyMap<string, Caller> = new Map([
  ['writer', callerOf('writer', 'agent', ['records:write'])],
  ['other', callerOf('other', 'agent', ['records:write'])],
  ['reader', callerOf('reader', 'agent', ['records:read'])],
  ['admin', callerOf('admin', 'admin', ['admin:keys', 'records:write'])],
  ['platform', callerOf('platform', 'platform', ['admin:system'])],
]);

export type Authentication = Pick<AuthenticateBearer, 'authenticate'>;

export const AUTHENTICATION: Authentication = {
  authenticate: async ({ token }) => {
    if (token === undefined) throw new NotaryError('UNAUTHORIZED', 'The API key is missing.');
    const caller = CALLERS.get(token);
    if (!caller) throw new NotaryError('UNAUTHORIZED', 'Invalid or inactive API key');
    return caller;
  },
};

/** Keeps answers as the database does: one a scope. */
export class MemoryAnswers implements Pick<IdempotentTransaction, 'find' | 'keep'> {
  readonly kept = new Map<string, KeptAnswer>();
  found = 0;

  find(scope: Uint8Array): Promise<KeptAnswer | null> {
    this.found++;
    return Promise.resolve(this.kept.get(nameOf(scope)) ?? null);
  }

  keep(once: IdempotencyClaim, answer: string): Promise<void> {
    const { scope, fingerprint } = once;
    if (!this.kept.has(nameOf(scope)))
      this.kept.set(nameOf(scope), {
        scope,
        fingerprint,
        answer,
        isProvisional: false,
        createdAt: '',
      });
    return Promise.resolve();
  }
}

const nameOf = (scope: Uint8Array): string => Buffer.from(scope).toString('hex');

/** What a use case of a test does. */
export type Act = (input: object, context: CallContext) => unknown;

/** A use case that keeps its outcome as the real ones do in their transactions. */
export class DoThing {
  constructor(
    private readonly act: Act,
    private readonly answers: Pick<IdempotentTransaction, 'keep'>,
  ) {}

  readonly execute = async (context: CallContext, input: object): Promise<unknown> => {
    const result = await this.act(input, context);
    if (context.idempotency)
      await this.answers.keep(context.idempotency, context.idempotency.keep(result));
    return result;
  };
}

export const ThingInput = Type.Object(
  {
    name: Type.String(),
    note: Type.Optional(Type.String()),
    data: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  },
  { additionalProperties: false },
);

/** What operations of tests share: each shows what its use case gives. */
export const THING = {
  words: { summary: 'A thing', group: 'Things' },
  effect: 'write',
  output: Type.Unsafe<unknown>({}),
  result: { description: 'The thing', example: { name: 'a' } },
  useCase: DoThing,
  view: (view: unknown) => ({ view }),
} as const;

export const createThing = operation({
  ...THING,
  id: 'createThing',
  access: () => ({ scope: 'records:write' }),
  input: ThingInput,
  examples: { one: { name: 'a' } },
});

export const CURSORS = new Cursors([
  { mac: (input) => createHmac('sha256', 'test').update(input).digest() },
]);

export interface Given {
  readonly limits?: Partial<BudgetSettings>;
  readonly limiter?: RateLimiter;
  readonly authentication?: Authentication;
  readonly attest?: GatewayParts['attest'];
  readonly answers?: MemoryAnswers;
  readonly operations?: readonly Operation[];
  readonly act?: Act;
}

/** The real gateway, of which only credentials, proofs and the use case are made up. */
export const gatewayOf = (given: Given = {}): CallGateway => {
  const { answers = new MemoryAnswers(), act = (input) => input } = given;
  const budgets = new Budgets(given.limiter ?? new SlidingWindowLimiter(), limitKeyOfAddress, {
    ...NO_LIMITS,
    ...given.limits,
  });
  return new CallGateway({
    credentials: new Credentials(
      given.authentication ?? AUTHENTICATION,
      budgets,
      new AdmittedCredentials(() => performance.now()),
      { tell: () => undefined },
    ),
    budgets,
    attest: given.attest ?? { attest: () => Promise.resolve({}) },
    inputs: new AjvInputCheck(),
    idempotentCalls: new IdempotentCalls(answers),
    cursors: CURSORS,
    operations: new Operations(given.operations ?? [createThing]),
    readLog: { enter: () => Promise.resolve() },
    underWay: new CallsUnderWay(),
    useCaseOf: () => new DoThing(act, answers),
  });
};
