import type { TObject } from 'typebox';
import type { Log } from '../../application/log.port.ts';
import type { AttestCall, Attested } from '../../application/identity/attest-call.ts';
import type { Budgets } from '../../application/call/budgets.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { Cursors } from '../../application/call/cursors.ts';
import { refuse } from './app.ts';
import { HttpCall, type ClientAddress } from './http-call.ts';
import { isCoSigned, proofsOf } from './proofs.ts';
import { hasBody, readJsonBody } from './request-body.ts';
import type { CallContext, OnceKey } from '../../application/call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { SliceRequest } from '../../domain/kernel/page.ts';
import { credentialOwner } from '../../application/call/credential-owner.ts';
import { ifMatchVersions, matchesAny } from './etag.ts';
import type { Exchange } from './exchange.ts';
import {
  IdempotentCalls,
  idempotencyKeyOf,
  onceCallOf,
  withoutSecrets,
  type KeptRefusal,
  type OnceCall,
  type OnceStore,
  type StoredAnswer,
} from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import { chooseMediaType } from './media-type.ts';
import { fillPath, type Operations } from './operations.ts';
import { DEFAULT_LIMIT } from './prepared-route.ts';
import { problemOf, KIND_STATUS } from './problem.ts';
import { parseQuery } from './query.ts';
import type { Incoming } from './incoming.ts';
import type { Answer, Input, Route, View } from './route.ts';

export interface PipelineDependencies {
  readonly gateway: CallGateway;
  /** What the call proves beyond its credential; asked where it carries a proof, or its credential may have to. */
  readonly attest: Pick<AttestCall, 'attest'>;
  readonly budgets: Budgets;
  readonly once: OnceStore;
  readonly clientAddress: ClientAddress;
  readonly cursors: Cursors;
  readonly log: Log;
}

export interface PipelineSettings {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
}

const EMPTY = new Uint8Array(0);
const NOTHING = Object.freeze({});

/**
 * One request from its credential to its answer. Refusals come in one order: 401, 429, role and scope 403,
 * then the shape of the request (406, 415, 413, 400), and after it whatever the use case refuses.
 */
export class Pipeline {
  private readonly idempotent: IdempotentCalls;

  constructor(
    private readonly dependencies: PipelineDependencies,
    private readonly settings: PipelineSettings,
    private readonly operations: Operations,
  ) {
    this.idempotent = new IdempotentCalls(dependencies.once);
  }

  /** Sets the reply of the exchange; never rejects. */
  async run(exchange: Exchange): Promise<void> {
    try {
      await this.admit(exchange);
      await this.answer(exchange);
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  /** Who calls, whether they may still call, and whether this credential may call this route. */
  async admit(exchange: Exchange): Promise<void> {
    const { gateway, clientAddress } = this.dependencies;
    const { access, limit } = exchange.prepared!.route;
    const admission = await gateway.admit(new HttpCall(exchange, clientAddress), access, limit);
    exchange.caller = admission.caller;
    exchange.keyId = admission.caller?.apiKeyId ?? null;
    gateway.permit(admission, access);
  }

  refuse(exchange: Exchange, cause: unknown): void {
    refuse(this.dependencies.log)(
      exchange,
      cause instanceof NotaryError ? withRefresh(cause, exchange) : cause,
    );
  }

  private async answer(exchange: Exchange): Promise<void> {
    const { incoming, caller } = exchange;
    const { route } = exchange.prepared!;
    exchange.mediaType = chooseMediaType(incoming.header('accept'), route.produces);
    const body = route.body ? await readJsonBody(incoming, this.settings.maxBodyBytes) : EMPTY;
    // A co-signature is over what was sent, also where the route looks at none of it.
    const sent =
      !route.body && isCoSigned(incoming) && hasBody(incoming)
        ? await incoming.readBody(this.settings.maxBodyBytes)
        : body;
    exchange.attested = await this.attest(exchange, sent);
    const key =
      route.method === 'POST' && caller
        ? idempotencyKeyOf(incoming.header('idempotency-key'))
        : undefined;
    if (key === undefined)
      return this.reply(exchange, await this.perform(exchange, body, undefined));
    await this.answerOnce(exchange, body, onceCallOf(caller!, incoming, key, body));
  }

  private attest({ caller, incoming }: Exchange, body: Uint8Array): Promise<Attested> | Attested {
    if (!caller) return NOTHING;
    const proofs = proofsOf(incoming, body, this.settings.baseUrl);
    if (!proofs && !caller.cert) return NOTHING;
    const effect = incoming.method === 'GET' || incoming.method === 'HEAD' ? 'read' : 'write';
    return this.dependencies.attest.attest(caller, proofs, effect, () => null);
  }

  private async answerOnce(exchange: Exchange, body: Uint8Array, call: OnceCall): Promise<void> {
    const outcome = await this.idempotent.run(
      call,
      () => this.perform(exchange, body, call),
      (error) => keptRefusal(error, exchange, call),
    );
    if ('fresh' in outcome) this.reply(exchange, outcome.fresh);
    else exchange.replay(outcome.replayed);
  }

  private async perform(
    exchange: Exchange,
    body: Uint8Array,
    call: OnceCall | undefined,
  ): Promise<Answer> {
    const { caller, requestId } = exchange;
    const { route } = exchange.prepared!;
    const { input, binding } = this.read(exchange, body);
    if (route.cost && caller) {
      const more = route.cost(input.body) - 1;
      if (more > 0)
        this.dependencies.budgets.charge(
          caller,
          route.limit,
          more,
          (allowance) => (exchange.allowance = allowance),
        );
    }
    const view = this.view(exchange, binding);
    const once: OnceKey | undefined = call && {
      ...call,
      render: (result) => JSON.stringify(storedAnswer(route, route.present(result, view, input))),
    };
    const context: CallContext | null = caller && {
      caller,
      requestId,
      ...exchange.attested,
      ...(once ? { once } : {}),
    };
    return route.present(await route.execute(context, input), view, input);
  }

  /** Everything of the request that the row declares, checked. */
  private read(
    exchange: Exchange,
    bytes: Uint8Array,
  ): { readonly input: Input; readonly binding: string } {
    const { incoming, params } = exchange;
    const { route, query: querySchema, checkParams, checkQuery, checkBody } = exchange.prepared!;
    const ifVersions = route.ifMatch ? ifMatchVersions(incoming.header('if-match')) : undefined;
    checkParams?.(params);
    const query = parseQuery(incoming.search, querySchema);
    checkQuery(query);
    const body = checkBody ? checkBody(this.parse(route, bytes)) : undefined;
    const rest = {
      ifVersions,
      mediaType: exchange.mediaType,
      requestId: exchange.requestId,
      dpop:
        incoming.header('dpop') === undefined
          ? null
          : (proofsOf(incoming, EMPTY, this.settings.baseUrl)?.dpop ?? null),
      headers: headersOf(route, incoming),
    };
    if (!route.paged)
      return { input: { params, query, body, slice: FIRST_PAGE, ...rest }, binding: '' };
    const {
      limit = DEFAULT_LIMIT,
      cursor,
      ...filters
    } = query as { limit?: number; cursor?: string };
    const binding = JSON.stringify([
      route.operationId,
      exchange.caller && [exchange.caller.role, credentialOwner(exchange.caller)],
      Object.entries({ ...defaultsOf(querySchema), ...filters }).sort(byName),
      Object.entries(params).sort(byName),
    ]);
    const slice: SliceRequest = {
      limit,
      after: cursor === undefined ? null : this.dependencies.cursors.decode(cursor, binding),
    };
    return { input: { params, query: filters, body, slice, ...rest }, binding };
  }

  private parse(route: Route, bytes: Uint8Array): unknown {
    if (bytes.length > 0) return parseJsonBody(bytes, this.settings.maxDepth);
    if (route.bodyOptional) return NOTHING;
    throw new NotaryError('VALIDATION_ERROR', 'A JSON body is required.', {
      errors: [{ path: '', keyword: 'required', message: 'is required' }],
    });
  }

  private view(exchange: Exchange, binding: string): View {
    const { caller, requestId } = exchange;
    return {
      baseUrl: this.settings.baseUrl,
      requestId,
      instance: exchange.instance,
      caller,
      link: (operationId, params) => this.operations.link(caller, operationId, params),
      cursor: (next) => next && this.dependencies.cursors.encode(next, binding),
    };
  }

  private reply(exchange: Exchange, answer: Answer): void {
    const etag = answer.headers?.['ETag'];
    const wanted = etag === undefined ? undefined : exchange.incoming.header('if-none-match');
    if (
      etag !== undefined &&
      wanted !== undefined &&
      exchange.prepared!.route.method === 'GET' &&
      matchesAny(wanted, etag)
    )
      exchange.notModified(answer);
    else exchange.reply(answer);
  }
}

const headersOf = ({ headers }: Route, incoming: Incoming): Input['headers'] =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, incoming.header(name)]));

const FIRST_PAGE: SliceRequest = { limit: DEFAULT_LIMIT, after: null };

/** A parameter that is left out and one that says its default are the same listing. */
const defaultsOf = ({ properties }: TObject): object =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      'default' in schema && name !== 'limit' ? [[name, schema.default]] : [],
    ),
  );

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

/** Where the current state can be read, for a refusal that rests on it. */
const withRefresh = (error: NotaryError, exchange: Exchange): NotaryError => {
  const refresh = exchange.prepared?.route.refresh;
  if (!refresh || error.members.refreshUrl || !STATE_KINDS.has(error.entry.kind)) return error;
  return new NotaryError(
    error.code,
    error.message,
    { ...error.members, refreshUrl: fillPath(refresh, exchange.params) },
    { cause: error.cause },
  );
};
const STATE_KINDS: ReadonlySet<string> = new Set([
  'conflict',
  'precondition-failed',
  'unprocessable',
]);

const storedAnswer = (route: Route, answer: Answer): StoredAnswer => ({
  status: answer.status,
  mediaType: 'application/json',
  headers: answer.headers ?? {},
  body: route.secret ? withoutSecrets(answer.body) : answer.body,
});

/** 401, 403, 429, the in-flight 409 and every 5xx may end differently the next time; all other refusals are kept. */
const keptRefusal = (error: unknown, exchange: Exchange, call: OnceCall): KeptRefusal | null => {
  if (!(error instanceof NotaryError) || error.code === 'IN_FLIGHT') return null;
  const status = KIND_STATUS[error.entry.kind];
  if (status >= 500 || status === 401 || status === 403 || status === 429) return null;
  const body = problemOf(withRefresh(error, exchange), exchange);
  return {
    once: { ...call, render: () => '' },
    answer: { status, mediaType: 'application/problem+json', headers: {}, body },
  };
};
