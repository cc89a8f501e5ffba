import { addressBlock, inRanges, normaliseAddress } from '../../domain/identity/ip-range.ts';

/** Finds the address of the caller behind proxies that the operator trusts. */
export class ClientAddresses {
  /** @param trustedProxies CIDR ranges. Where there are none, X-Forwarded-For is ignored. */
  constructor(private readonly trustedProxies: readonly string[]) {}

  /**
   * The rightmost hop that is not a trusted proxy. Each trusted hop vouches only for the one to its
   * left, so whatever a caller writes into the header itself stands to the left of its own address
   * and is never reached. A hop that is not an address ends the walk at the last hop that was
   * vouched for.
   *
   * @param socket the address of the peer of the connection.
   * @param forwardedFor X-Forwarded-For; several header lines joined by commas, in order.
   * @returns the normalised address, or 'unknown' where the connection is already gone.
   */
  resolve(socket: string | null | undefined, forwardedFor?: string | null): string {
    let client = normaliseAddress(socket ?? '');
    if (client === null) return 'unknown';
    if (!forwardedFor || this.trustedProxies.length === 0) return client;
    const hops = forwardedFor.split(',');
    while (hops.length > 0 && inRanges(client, this.trustedProxies)) {
      const hop = normaliseAddress(withoutPort(hops.pop()!.trim()));
      if (hop === null) break;
      client = hop;
    }
    return client;
  }
}

/** The key under which limits by address count: one IPv4 address, or the /64 of an IPv6 one. */
export const limitKeyOfAddress = (address: string): string => `address:${addressBlock(address)}`;

/** Some proxies write `address:port` or `[address]:port`. */
const withoutPort = (hop: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
