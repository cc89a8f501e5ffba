import type { Metadata } from '@grpc/grpc-js';
import type { Allowance } from '../../application/call/budgets.ts';
import type { Call } from '../../application/call/call.port.ts';
import { bearerOf } from '../http/bearer.ts';
import type { Span } from '../../application/ports/tracer.port.ts';
import type { ClientAddress } from '../http/http-call.ts';
import { requestIdOf } from '../http/request-id.ts';

/** What every call of grpc-js shows, whether it streams or not. */
export interface Incoming {
  readonly metadata: Metadata;
  /** The client left, or its deadline passed. */
  readonly cancelled: boolean;
  getPeer(): string;
}

/** The call as described by its metadata. */
export class GrpcCall implements Call {
  readonly protocol = 'grpc';
  /** The metadata does not say how long the message is: it is charged when it is there. */
  readonly announcedBytes = 0;
  readonly requestId: string;
  readonly address: string;
  /** What the call has left, as the gateway said last. */
  allowance: Allowance | null = null;
  /** Null where the call is not traced. */
  span: Span | null = null;

  constructor(
    private readonly incoming: Pick<Incoming, 'metadata' | 'getPeer'>,
    clientAddress: ClientAddress,
  ) {
    this.requestId = requestIdOf(textOf(incoming, 'x-request-id'));
    this.address = clientAddress(hostOf(incoming.getPeer()), textOf(incoming, 'x-forwarded-for'));
  }

  credential(): string | undefined {
    return bearerOf(textOf(this.incoming, 'authorization'));
  }

  readonly allow = (allowance: Allowance): void => {
    this.allowance = allowance;
  };
}

/** Of several values all, as HTTP joins them. */
export const textOf = (
  { metadata }: Pick<Incoming, 'metadata'>,
  name: string,
): string | undefined => {
  const values = metadata.get(name);
  return values.length === 0 ? undefined : values.map(String).join(', ');
};

/** grpc-js joins host and port with a colon, and puts no brackets around an IPv6 address. */
const hostOf = (peer: string): string => peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
