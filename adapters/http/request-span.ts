import type { Tracer } from '../../application/ports/tracer.port.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { HttpRoute } from './http-route.ts';
import { isAlwaysAnswered } from './load-shedder.ts';

/** Runs a route with a span of its request, by the semantic conventions of HTTP. What probes and monitors ask has none. */
export const runTraced = (
  tracer: Tracer | null,
  route: HttpRoute,
  exchange: HttpExchange,
): Promise<void> => {
  const { path } = route;
  if (!tracer || route.isProbe === true || isAlwaysAnswered(path)) return route.run(exchange);
  const { request, requestId } = exchange;
  exchange.span = tracer.received(
    `${request.method} ${path}`,
    { traceparent: request.header('traceparent'), tracestate: request.header('tracestate') },
    { 'http.request.method': request.method, 'http.route': path, 'notary.request.id': requestId },
  );
  return route.run(exchange);
};

/** The status is known: what of the body is still being made is not waited for. */
export const endSpan = ({ span, problem }: HttpExchange, status: number): void =>
  span?.end(
    { 'http.response.status_code': status, ...(problem === null ? {} : { 'error.type': problem }) },
    status < 500 ? undefined : (problem ?? String(status)),
  );
