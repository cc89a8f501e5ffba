import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { Log } from '../../application/log.port.ts';
import type { HttpExchange } from './http-exchange.ts';
import { faultOf, KIND_STATUS, problemOf } from './problem.ts';

/** Shows a refusal, or what is none: a fault, of which the caller learns the request id alone. */
export const refuse =
  (log: Log) =>
  (
    exchange: HttpExchange,
    cause: unknown,
    headers: readonly (readonly [string, string])[] = [],
  ): void => {
    const error = faultOf(cause, exchange.requestId);
    if (KIND_STATUS[error.entry.kind] >= 500)
      log.error(
        {
          requestId: exchange.requestId,
          route: exchange.path ?? undefined,
          err: error.cause ?? error,
        },
        'request failed',
      );
    const { instance } = exchange;
    const isReplay = cause instanceof KeptRefusal;
    const requestId = isReplay ? cause.requestId : exchange.requestId;
    exchange.refuse(error, problemOf(error, { requestId, instance }), [
      ...headers,
      ...(isReplay ? [['idempotency-replayed', 'true'] as const] : []),
    ]);
  };
