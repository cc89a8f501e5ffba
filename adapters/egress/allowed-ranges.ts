import { isIP } from 'node:net';
import type { AddressRules } from '../../application/egress/address-rules.port.ts';
import { isForbiddenAddress } from './forbidden-address.ts';

/** The rule by which a request leaves, for a host that is written as an address. */
export class AllowedRanges implements AddressRules {
  /** @param allowed CIDR ranges of private receivers. */
  constructor(private readonly allowed: readonly string[]) {}

  isForbidden(host: string): boolean {
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    return isIP(bare) !== 0 && isForbiddenAddress(bare, this.allowed);
  }
}
