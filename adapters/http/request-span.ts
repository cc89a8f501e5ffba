import type { Tracer } from '../../application/operations/tracer.port.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { HttpRoute } from './http-route.ts';

/** Begins the span of a request, by the semantic conventions of HTTP. Probes and scrapes have none. */
export const traceRequest = (
  tracer: Tracer,
  { method, path }: HttpRoute,
  exchange: HttpExchange,
): void => {
  const { request } = exchange;
  exchange.span = tracer.received(
    `${method} ${path}`,
    { traceparent: request.header('traceparent'), tracestate: request.header('tracestate') },
    {
      'http.request.method': request.method,
      'http.route': path,
      'notary.request.id': exchange.requestId,
    },
  );
};

/** The status is known: what of the body is still being made is not waited for. */
export const endSpan = ({ span, problem }: HttpExchange, status: number): void =>
  span?.end(
    { 'http.response.status_code': status, ...(problem === null ? {} : { 'error.type': problem }) },
    status < 500 ? undefined : (problem ?? String(status)),
  );
