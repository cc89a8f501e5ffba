import { isIP } from 'node:net';
import type { AddressRules } from '../../application/egress/address-rules.port.ts';
import { isLoopbackName } from '../../domain/kernel/outgoing-url.ts';
import { isForbiddenAddress } from './forbidden-address.ts';

/** The rule by which a request leaves, for a host that is written as an address or as a name of this machine. */
export class AllowedRanges implements AddressRules {
  /** @param allowed CIDR ranges of private receivers. */
  constructor(private readonly allowed: readonly string[]) {}

  isForbidden(host: string): boolean {
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    if (isLoopbackName(host))
      return LOOPBACK.every((address) => isForbiddenAddress(address, this.allowed));
    return isIP(bare) !== 0 && isForbiddenAddress(bare, this.allowed);
  }
}

/** What a name of this machine leads to. */
const LOOPBACK = ['127.0.0.1', '::1'];
