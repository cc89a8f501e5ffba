import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { HttpExchange } from './http-exchange.ts';
import { faultOf, KIND_STATUS, problemOf } from './problem.ts';

/**
 * Answers with a refusal. Any other error is a fault: the caller learns only the request id, and
 * the error is logged.
 */
export const refuse =
  (log: Log) =>
  (
    exchange: HttpExchange,
    cause: unknown,
    headers: readonly (readonly [string, string])[] = [],
  ): void => {
    const error = faultOf(cause, exchange.requestId);
    if (KIND_STATUS[error.entry.kind] >= 500 && !exchange.isShed)
      log.error(
        {
          requestId: exchange.requestId,
          route: exchange.path ?? undefined,
          // What is unavailable is counted, and not told call by call.
          err: error.entry.kind === 'unavailable' ? error : (error.cause ?? error),
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
