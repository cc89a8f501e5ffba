import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { overloaded } from '../../application/call/overloaded.ts';
import { FREE, type LoadGate, type Place } from '../../application/call/load-gate.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { Tracer } from '../../application/ports/tracer.port.ts';
import { bodyStream } from './body-stream.ts';
import { Cors } from './cors.ts';
import { withDeadline } from './deadline.ts';
import { HttpExchange } from './http-exchange.ts';
import { httpRequestOf, type HttpRequest } from './http-request.ts';
import type { HttpRoute } from './http-route.ts';
import { assertOneLine } from './one-line.ts';
import { isAlwaysAnswered } from './load-shedder.ts';
import { problemOf } from './problem.ts';
import { pushRateHeaders } from './rate-headers.ts';
import { refuse } from './refuse.ts';
import { endSpan, runTraced } from './request-span.ts';

/** Finds the route of a request, runs it, and turns the outcome into a response. */
export class Dispatcher {
  private readonly cors: Cors;

  constructor(
    private readonly parts: HttpParts,
    private readonly settings: HttpSettings,
  ) {
    this.cors = new Cors(settings.corsOrigins);
  }

  dispatch(event: H3Event, methods: Methods): Response | Promise<Response> {
    const request = httpRequestOf(event);
    const { fault } = request;
    if (fault) return this.refuseHead(request, fault);
    // The router ignores a trailing slash, but such a path is not in the table, so it does not
    // exist.
    if (request.path.length > 1 && request.path.endsWith('/'))
      return PAGE.test(request.path) && methods.has('GET')
        ? this.redirect(request)
        : this.unknownPath(event);
    const route = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (route) {
      const params = decodeParams(event.context.params);
      const exchange = new HttpExchange(request, route.path, params);
      const unusual = request.path.includes('%') ? paramFault(params) : null;
      return unusual ? this.refuse(exchange, unusual) : this.serve(route, exchange);
    }
    const exchange = new HttpExchange(request, null, {});
    const allow = allowOf(methods);
    if (request.method === 'OPTIONS') return this.options(exchange, allow);
    return this.refuse(
      exchange,
      new NotaryError(
        'METHOD_NOT_ALLOWED',
        `${request.path} takes ${allow}, not ${request.method.slice(0, 20)}.`,
        { allowedValues: allow.split(', ') },
      ),
      [['allow', allow]],
    );
  }

  /** Redirects `/docs/` to `/docs`, since people type the slash. */
  private async redirect(request: HttpRequest): Promise<Response> {
    const exchange = new HttpExchange(request, null, {});
    try {
      await this.parts.admitAnybody(exchange);
      const query = request.search === '' ? '' : `?${request.search}`;
      const headers = { Location: `${request.path.slice(0, -1)}${query}` };
      exchange.reply({ status: 308, headers, text: { mediaType: '', content: new Uint8Array(0) } });
    } catch (error) {
      refuse(this.parts.log)(exchange, error);
    }
    return this.finish(exchange);
  }

  unknownPath(event: H3Event): Promise<Response> {
    const request = httpRequestOf(event);
    const { fault } = request;
    if (fault) return this.refuseHead(request, fault);
    const exchange = new HttpExchange(request, null, {});
    return this.refuse(
      exchange,
      new NotaryError(
        'NOT_FOUND',
        `There is no ${exchange.request.path.slice(0, 200)} here. GET /docs/openapi.json lists every path.`,
      ),
    );
  }

  /** A request that h3 itself could not read: its path has a broken percent escape. */
  malformed(
    event: H3Event,
    error: { readonly status: number; readonly cause?: unknown },
  ): Promise<Response> {
    const request = httpRequestOf(event);
    const { fault } = request;
    if (fault) return this.refuseHead(request, fault);
    const exchange = new HttpExchange(request, null, {});
    return this.refuse(
      exchange,
      error.status === 400
        ? new NotaryError('VALIDATION_ERROR', 'The path holds a broken percent escape.')
        : error,
    );
  }

  private refuseHead(request: HttpRequest, fault: NotaryError): Promise<Response> {
    return this.refuse(new HttpExchange(request, null, {}), fault, [['connection', 'close']]);
  }

  /** How long a body takes to arrive is the business of the server, which refuses one that is too slow. */
  private async serve(route: HttpRoute, exchange: HttpExchange): Promise<Response> {
    exchange.isProbe = route.isProbe === true;
    const place = this.enter(route);
    if (!place) return this.shed(exchange);
    const { request, startedAt } = exchange;
    request.arrival = {
      awaited: () => place.awaitCaller(),
      arrived: () => (place.goOn() ? null : this.tooMuch(exchange)),
    };
    await withDeadline(
      runTraced(this.parts.tracer ?? null, route, exchange),
      this.settings.handlerTimeoutMs,
      () => (request.arrivedAt === 0 ? startedAt : request.arrivedAt),
      () => this.late(exchange),
    );
    place.leave();
    return this.finish(exchange);
  }

  /** Null where the service has more to do than it can. Who asks how it fares is answered even then. */
  private enter(route: HttpRoute): Place | null {
    const { load } = this.parts;
    if (!load || route.isProbe === true || isAlwaysAnswered(route.path)) return FREE;
    return load.take('http');
  }

  /** A request that found the gate open and came to it too late. */
  private shed(exchange: HttpExchange): Response {
    const error = this.tooMuch(exchange);
    exchange.refuse(error, problemOf(error, exchange));
    return this.finish(exchange);
  }

  private tooMuch(exchange: HttpExchange): NotaryError {
    exchange.isShed = true;
    return overloaded(this.parts.load!.retryAfterSeconds);
  }

  private late(exchange: HttpExchange): void {
    const error = new NotaryError(
      'SERVICE_UNAVAILABLE',
      `No answer within ${this.settings.handlerTimeoutMs} ms. Whether the request took effect is not known: read the resource, or repeat the request with its Idempotency-Key.`,
    );
    exchange.refuse(error, problemOf(error, exchange));
  }

  private async options(exchange: HttpExchange, allow: string): Promise<Response> {
    try {
      await this.parts.admitAnybody(exchange);
      exchange.answered = {
        status: 200,
        mediaType: '',
        headers: this.preflight(exchange, allow),
        body: null,
      };
    } catch (error) {
      refuse(this.parts.log)(exchange, error);
    }
    return this.finish(exchange);
  }

  private preflight(exchange: HttpExchange, allow: string): [string, string][] {
    const headers: [string, string][] = [['allow', allow]];
    this.cors.pushPreflight(headers, exchange.request.header('origin'), allow);
    return headers;
  }

  private async refuse(
    exchange: HttpExchange,
    refusal: unknown,
    headers: readonly (readonly [string, string])[] = [],
  ): Promise<Response> {
    try {
      await this.parts.admitAnybody(exchange);
      refuse(this.parts.log)(exchange, refusal, headers);
    } catch (error) {
      refuse(this.parts.log)(exchange, error);
    }
    return this.finish(exchange);
  }

  private finish(exchange: HttpExchange): Response {
    // Read now: a handler that ran past the deadline may still change the exchange, but no longer
    // the response.
    const { status, mediaType, headers: own, body, isLive } = exchange.answered!;
    const { request } = exchange;
    const headers: [string, string][] = [
      ['x-request-id', exchange.requestId],
      ['x-content-type-options', 'nosniff'],
    ];
    if (mediaType !== '')
      headers.push([
        'content-type',
        HAS_NO_CHARSET.test(mediaType) ? mediaType : `${mediaType}; charset=utf-8`,
      ]);
    if (exchange.allowance) pushRateHeaders(headers, exchange.allowance);
    let cached = false;
    for (const [name, value] of own) {
      headers.push([name, value]);
      if (name === 'Cache-Control') cached = true;
    }
    if (!cached) headers.push(['cache-control', 'no-store']);
    this.cors.pushHeaders(headers, request.header('origin'));
    const durationMs = performance.now() - exchange.startedAt;
    endSpan(exchange, status);
    this.parts.onAnswered?.(request.method, exchange.path, status, durationMs);
    this.parts.log[exchange.isProbe || exchange.isShed ? 'debug' : 'info'](
      {
        requestId: exchange.requestId,
        method: request.method,
        route: exchange.path,
        status,
        problem: exchange.problem ?? undefined,
        durationMs: Math.round(durationMs * 100) / 100,
        recordId: exchange.recordId ?? undefined,
        keyId: exchange.keyId,
        address: exchange.address,
      },
      'request',
    );
    const isStream = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
    if (isStream && request.method !== 'HEAD')
      return new FastResponse(this.streamOf(exchange, body, isLive), { status, headers });
    exchange.end();
    if (isStream) return new FastResponse(null, { status, headers });
    if (request.method === 'HEAD' && body !== null) {
      headers.push(['content-length', String(Buffer.byteLength(body))]);
      return new FastResponse(null, { status, headers });
    }
    return new FastResponse(body, { status, headers });
  }

  /** The status is sent before the body is made, so a fault can only break the connection off. */
  private streamOf(
    exchange: HttpExchange,
    parts: AsyncIterable<string | Uint8Array>,
    isLive?: boolean,
  ): ReadableStream<Uint8Array> {
    const { requestId, path } = exchange;
    const on = {
      sent: (bytes: number) => exchange.meter?.(bytes),
      error: (err: unknown) =>
        this.parts.log.error({ requestId, route: path ?? undefined, err }, 'answer broken off'),
      end: () => exchange.end(),
    };
    return bodyStream(parts, on, isLive);
  }
}

/** The paths that people open in a browser. */
const PAGE = /^\/(?:docs|console)\//;

/** Bytes, and what is UTF-8 by its own definition. */
const HAS_NO_CHARSET =
  /^application\/(?:json|problem\+json|x-ndjson|cose-sequence|(?:[a-z-]+\+)?(?:cose|cbor)|vnd\.dev\.sigstore\.[a-z0-9.+]+)$/;

export interface HttpSettings {
  /** A request that takes longer is answered with 503. 0 means no limit. */
  readonly handlerTimeoutMs: number;
  readonly corsOrigins: readonly string[];
}

export interface HttpParts {
  /** Counts a request for which there is no route. @throws NotaryError RATE_LIMITED. */
  readonly admitAnybody: (exchange: HttpExchange) => Promise<void>;
  readonly log: Log;
  /** Told of each answer, by its route; null where no route has the path. */
  readonly onAnswered?: Answered;
  /** Left out where nobody traces. */
  readonly tracer?: Tracer | null;
  /** Without it all requests are taken. */
  readonly load?: Pick<LoadGate, 'take' | 'retryAfterSeconds'>;
}

export type Answered = (
  method: string,
  route: string | null,
  status: number,
  durationMs: number,
) => void;

export type Methods = ReadonlyMap<string, HttpRoute>;

const allowOf = (methods: Methods): string =>
  [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');

const NO_PARAMS: { readonly [name: string]: string } = Object.freeze({});

/** h3 has already refused broken escapes. An escaped slash stays part of its segment. */
const decodeParams = (
  params: { readonly [name: string]: string } | undefined,
): { readonly [name: string]: string } => {
  if (!params) return NO_PARAMS;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      value.includes('%') ? decodeURIComponent(value) : value,
    ]),
  );
};

/** Why a parameter of the path is refused before anybody looks for it; null: it is not. */
const paramFault = (params: { readonly [name: string]: string }): unknown => {
  try {
    for (const name in params)
      assertOneLine(params[name]!, `The parameter ${name} of the path`, name);
    return null;
  } catch (fault) {
    return fault;
  }
};
