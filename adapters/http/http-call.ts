import type { Allowance } from '../../application/call/budgets.ts';
import type { Call } from '../../application/call/call.port.ts';
import { bearerOf } from './bearer.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Who really calls: the socket's address, or what trusted proxies say. */
export type ClientAddress = (socket: string, forwardedFor: string | undefined) => string;

/** What the head of a request says of a call. */
export class HttpCall implements Call {
  readonly requestId: string;
  readonly address: string;

  constructor(
    private readonly exchange: HttpExchange,
    clientAddress: ClientAddress,
  ) {
    const { request } = exchange;
    this.requestId = exchange.requestId;
    this.address = clientAddress(request.remoteAddress, request.header('x-forwarded-for'));
  }

  credential(): string | undefined {
    return bearerOf(this.exchange.request.header('authorization'));
  }

  readonly allow = (allowance: Allowance): void => {
    this.exchange.allowance = allowance;
  };
}
