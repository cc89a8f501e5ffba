import { status, type Metadata } from '@grpc/grpc-js';
import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { Place } from '../../application/call/load-gate.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { faultOf } from '../http/problem.ts';
import { saysWhereToCoSign } from './co-signed-elsewhere.ts';
import { endSpan } from './call-span.ts';
import type { GrpcCall } from './grpc-call.ts';
import { refusalStatus } from './refusal-status.ts';
import { ServiceStops } from './service-stops.ts';
import { trailersOf } from './trailers.ts';

/** How a call ends that is refused. */
export interface Refused {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Told how a call ended, and how long it took. */
export type OnEnd = (status: string, durationMs: number) => void;

/** The end of one call: its line in the log, and its refusal. */
export class CallEnd {
  readonly startedAt = performance.now();
  caller: Caller | null = null;
  /** In the load gate, until the call has ended. */
  place: Place | null = null;
  /** Refused because the service has too much to do: told by the gate, and not call by call. */
  isShed = false;
  /** The line of the log is written. */
  isTold = false;

  constructor(
    private readonly route: string,
    private readonly call: GrpcCall,
    private readonly log: Log,
    private readonly onEnd: OnEnd | null,
  ) {}

  /** Any error but a refusal is a fault: the caller learns only the request id, and the error is logged. */
  refused(cause: unknown): Refused {
    const { call, route } = this;
    const error = faultOf(saysWhereToCoSign(cause), call.requestId);
    const isReplay = cause instanceof KeptRefusal;
    const { code, details, rich } = refusalStatus(
      error,
      isReplay ? cause.requestId : call.requestId,
    );
    if (
      code === status.INTERNAL ||
      (code === status.UNAVAILABLE && !this.isShed && !(cause instanceof ServiceStops))
    )
      this.log.error(
        {
          requestId: call.requestId,
          route,
          err: error.entry.kind === 'unavailable' ? error : (error.cause ?? error),
        },
        'request failed',
      );
    const metadata = trailersOf(call, isReplay);
    metadata.set('grpc-status-details-bin', rich);
    this.tell(code, error.code);
    return { code, details, metadata };
  }

  /** The line of the log, the end of the span, and a count. */
  tell(code: status, problem?: string): void {
    const { call, caller, route, startedAt } = this;
    this.place?.leave();
    endSpan(call.span, code, problem);
    const durationMs = performance.now() - startedAt;
    // A call that came to its deadline ends once more, when its work does.
    if (!this.isTold) this.onEnd?.(status[code], durationMs);
    this.isTold = true;
    this.log[this.isShed ? 'debug' : 'info'](
      {
        requestId: call.requestId,
        protocol: 'grpc',
        route,
        status: status[code],
        problem,
        durationMs: Math.round(durationMs * 100) / 100,
        keyId: caller?.apiKeyId ?? null,
        address: call.address,
      },
      'request',
    );
  }
}
