import { status } from '@grpc/grpc-js';
import type { Span, Tracer } from '../../application/ports/tracer.port.ts';
import { textOf, type GrpcCall, type Incoming } from './grpc-call.ts';

/** What the semantic conventions call an error of the server; all others are the caller's. */
const FAILURES: ReadonlySet<status> = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

/** Begins the span of a call, by the semantic conventions of gRPC. @param route such as `notary.v1.RecordService/Create`. */
export const traceCall = (
  tracer: Tracer,
  route: string,
  { requestId }: GrpcCall,
  incoming: Pick<Incoming, 'metadata'>,
): Span =>
  tracer.received(
    route,
    {
      traceparent: textOf(incoming, 'traceparent'),
      tracestate: textOf(incoming, 'tracestate'),
    },
    { 'rpc.system.name': 'grpc', 'rpc.method': route, 'notary.request.id': requestId },
  );

export const endSpan = (span: Span | null, code: status, problem: string | undefined): void =>
  span?.end(
    {
      'rpc.response.status_code': status[code],
      ...(problem === undefined ? {} : { 'error.type': problem }),
    },
    FAILURES.has(code) ? (problem ?? status[code]) : undefined,
  );
