import type { TObject } from 'typebox';
import type { Log } from '../../application/log.port.ts';
import type { Attested } from '../../application/identity/attest-call.ts';
import type { SignedCall } from '../../application/identity/verify-co-signature.ts';
import type { RateLimiter } from '../../application/limits/rate-limiter.port.ts';
import type { CallContext, Caller, OnceKey } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { SliceRequest } from '../../domain/kernel/page.ts';
import { assertAccess } from './access.ts';
import { AdmittedCredentials } from './admitted-credentials.ts';
import { credentialOwner } from './credential-owner.ts';
import { CursorCodec } from './cursor.ts';
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
import { assertJsonMediaType, assertNotEncoded, chooseMediaType } from './media-type.ts';
import { fillPath, type Operations } from './operations.ts';
import { DEFAULT_LIMIT } from './prepared-route.ts';
import { faultOf, problemOf, KIND_STATUS } from './problem.ts';
import { parseQuery } from './query.ts';
import { RateLimits, type RateLimitSettings } from './rate-limits.ts';
import type { Incoming } from './incoming.ts';
import type { Answer, Input, Route, View } from './route.ts';

export interface PipelineDependencies {
  readonly authenticate: {
    execute(input: {
      readonly authorization: string | undefined;
      readonly address: string;
    }): Promise<Caller>;
  };
  /** What the call proves beyond its credential; asked where it carries a proof, or its credential may have to. */
  readonly attest: { attest(caller: Caller, call: SignedCall): Promise<Attested> };
  readonly once: OnceStore;
  readonly limiter: RateLimiter;
  /** Who really calls: the socket's address, or what trusted proxies say. */
  readonly clientAddress: (socket: string, forwardedFor: string | undefined) => string;
  /** What limits by address count under: IPv6 by /64. */
  readonly addressKey: (address: string) => string;
  /** A keyed MAC, for cursors. */
  readonly mac: (input: string) => Uint8Array;
  readonly log: Log;
}

export interface PipelineSettings {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
  readonly limits: RateLimitSettings;
}

/** Headers by which a call proves something beyond its credential. */
const CO_SIGNATURES = [
  'x-agent-signature',
  'x-agent-signature-content-hash',
  'signature-input',
  'signature',
] as const;
const PROOFS = [...CO_SIGNATURES, 'x-service-subject-token'] as const;

const EMPTY = new Uint8Array(0);
const NOTHING = Object.freeze({});

/**
 * One request from its credential to its answer. Refusals come in one order: 401, 429, role and scope 403,
 * then the shape of the request (406, 415, 413, 400), and after it whatever the use case refuses.
 */
export class Pipeline {
  private readonly limits: RateLimits;
  private readonly cursors: CursorCodec;
  private readonly idempotent: IdempotentCalls;
  private readonly admitted = new AdmittedCredentials();

  constructor(
    private readonly dependencies: PipelineDependencies,
    private readonly settings: PipelineSettings,
    private readonly operations: Operations,
  ) {
    this.limits = new RateLimits(dependencies.limiter, settings.limits);
    this.cursors = new CursorCodec(dependencies.mac);
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
    const { incoming, prepared } = exchange;
    const access = prepared?.route.access ?? 'public';
    const address = this.dependencies.clientAddress(
      incoming.remoteAddress,
      incoming.header('x-forwarded-for'),
    );
    if (access === 'public') {
      this.limits.countAnonymous(
        this.dependencies.addressKey(address),
        prepared?.route.limit ?? 'default',
        exchange.allow,
      );
      return;
    }
    const caller = await this.authenticate(exchange, address);
    exchange.caller = caller;
    this.limits.count(caller, prepared!.route.limit, 1, exchange.allow);
    assertAccess(access, caller);
  }

  refuse(exchange: Exchange, cause: unknown): void {
    const error = faultOf(cause, exchange.requestId);
    if (KIND_STATUS[error.entry.kind] >= 500)
      this.dependencies.log.error(
        {
          requestId: exchange.requestId,
          route: exchange.prepared?.route.path,
          err: error.cause ?? error,
        },
        'request failed',
      );
    exchange.refuse(error, problemOf(withRefresh(error, exchange), exchange));
  }

  private async authenticate(exchange: Exchange, address: string): Promise<Caller> {
    const key = this.dependencies.addressKey(address);
    const authorization = exchange.incoming.header('authorization');
    this.limits.assertMayAuthenticate(
      key,
      exchange.allow,
      () => authorization !== undefined && this.admitted.has(authorization),
    );
    try {
      const caller = await this.dependencies.authenticate.execute({ authorization, address });
      this.admitted.note(authorization!);
      return caller;
    } catch (error) {
      // A token that cannot be judged now counts too: otherwise anybody may send any number while a provider is away.
      if (
        error instanceof NotaryError &&
        (error.entry.kind === 'unauthenticated' || error.members.reason === 'jwks_fetch_failed')
      )
        this.limits.countFailedAuthentication(key, exchange.allow);
      throw error;
    }
  }

  private async answer(exchange: Exchange): Promise<void> {
    const { incoming, caller } = exchange;
    const { route } = exchange.prepared!;
    exchange.mediaType = chooseMediaType(incoming.header('accept'), route.produces);
    const body = route.body ? await this.readBody(exchange) : EMPTY;
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
    if (!caller || (!caller.cert && PROOFS.every((name) => incoming.header(name) === undefined)))
      return NOTHING;
    const { method, path, search } = incoming;
    return this.dependencies.attest.attest(caller, {
      method,
      path,
      targetUri: `${this.settings.baseUrl}${path}${search === '' ? '' : `?${search}`}`,
      body,
      header: (name) => incoming.header(name),
    });
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
      if (more > 0) this.limits.count(caller, route.limit, more, exchange.allow);
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

  private async readBody(exchange: Exchange): Promise<Uint8Array> {
    const { incoming } = exchange;
    const contentType = incoming.header('content-type');
    // Without a body there is nothing whose type could be wrong.
    if (!hasBody(incoming)) return EMPTY;
    if (contentType !== undefined) assertJsonMediaType(contentType);
    assertNotEncoded(incoming.header('content-encoding'));
    const bytes = await incoming.readBody(this.settings.maxBodyBytes);
    if (bytes.length > 0 && contentType === undefined) assertJsonMediaType(contentType);
    return bytes;
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
      after: cursor === undefined ? null : this.cursors.decode(cursor, binding),
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
      cursor: (next) => next && this.cursors.encode(next, binding),
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

const isCoSigned = (incoming: Incoming): boolean =>
  CO_SIGNATURES.some((name) => incoming.header(name) !== undefined);

const hasBody = (incoming: Incoming): boolean => {
  const announced = incoming.header('content-length') ?? incoming.header('transfer-encoding');
  return announced !== undefined && announced !== '0';
};

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
