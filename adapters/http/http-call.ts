import type { Allowance } from '../../application/call/budgets.ts';
import type { Call } from '../../application/call/call.port.ts';
import type { CallSpan } from '../../application/ports/tracer.port.ts';
import type { Protocol } from '../../domain/vault/statement.ts';
import { bearerOf } from './bearer.ts';
import type { HttpExchange } from './http-exchange.ts';

/** The address of the caller: that of the socket, or the one that trusted proxies give. */
export type ClientAddress = (socket: string, forwardedFor: string | undefined) => string;

/** The call as described by the head of its request. */
export class HttpCall implements Call {
  readonly requestId: string;
  readonly address: string;
  readonly announcedBytes: number;
  readonly span: CallSpan | null;

  /** @param maxBodyBytes a longer body is refused unread. */
  constructor(
    private readonly exchange: HttpExchange,
    clientAddress: ClientAddress,
    maxBodyBytes = 0,
    readonly protocol: Protocol = 'rest',
  ) {
    const { request } = exchange;
    this.requestId = exchange.requestId;
    this.span = exchange.span;
    this.address = clientAddress(request.remoteAddress, request.header('x-forwarded-for'));
    exchange.address = this.address;
    const announced = Number(request.header('content-length') ?? 0);
    this.announcedBytes = announced <= maxBodyBytes ? announced : 0;
  }

  credential(): string | undefined {
    return bearerOf(this.exchange.request.header('authorization'));
  }

  readonly allow = (allowance: Allowance): void => {
    this.exchange.allowance = allowance;
  };
}
