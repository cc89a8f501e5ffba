import type { Socket } from 'node:net';
import { addressBlock, inRanges, normaliseAddress } from '../../domain/identity/ip-range.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

export interface ConnectionLimits {
  /** Open connections in all. */
  readonly maxConnections: number;
  /** Open connections of one IPv4 address, or of the /64 of an IPv6 one; 0: no limit. */
  readonly maxConnectionsPerAddress: number;
  /** CIDR ranges of proxies: their connections are those of many callers, and count in all only. */
  readonly trustedProxies: readonly string[];
}

/** The open connections of a server, and who may open another one. */
export class Connections {
  private readonly counts = new Map<string, number>();
  private open = 0;

  constructor(private readonly limits: ConnectionLimits) {}

  get size(): number {
    return this.open;
  }

  /** Counts the connection until it closes, or gives the reason why it is not taken. */
  admit(socket: Socket): NotaryError | null {
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    if (this.open >= maxConnections) return FULL;
    const block = this.blockOf(socket);
    const held = this.counts.get(block) ?? 0;
    if (block !== '' && maxConnectionsPerAddress > 0 && held >= maxConnectionsPerAddress)
      return TOO_MANY;
    this.open++;
    if (block !== '') this.counts.set(block, held + 1);
    socket.once('close', () => this.forget(block));
    return null;
  }

  private forget(block: string): void {
    this.open--;
    const held = this.counts.get(block) ?? 0;
    if (held > 1) this.counts.set(block, held - 1);
    else this.counts.delete(block);
  }

  /** Empty for a trusted proxy, and for a peer that is already gone. */
  private blockOf({ remoteAddress }: Socket): string {
    const address = normaliseAddress(remoteAddress ?? '');
    return address === null || inRanges(address, this.limits.trustedProxies)
      ? ''
      : addressBlock(address);
  }
}

const FULL = new NotaryError(
  'SERVICE_UNAVAILABLE',
  'The service has as many open connections as it takes.',
  { retryAfter: 5 },
);

const TOO_MANY = new NotaryError(
  'RATE_LIMITED',
  'This address has as many open connections as the service takes from one.',
  { retryAfter: 5, suggestion: 'Close connections, or use those that are open again.' },
);
