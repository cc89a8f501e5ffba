import type { LookupAddress } from 'node:dns';
import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { EgressError } from '../../application/ports/egress-client.port.ts';
import { before } from './deadline.ts';
import { isForbiddenAddress } from './forbidden-address.ts';

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A reply of DNS has room for thousands, and each is looked at. */
const MOST_ADDRESSES = 256;

export const systemResolve: Resolve = (host) => dnsLookup(host, { all: true, verbatim: true });

/**
 * The addresses of a host, each of which may be gone to. They are looked up once: whoever connects takes one of these,
 * so a DNS that answers otherwise the next time leads nowhere.
 *
 * @param allowed CIDR ranges of private receivers.
 * @throws EgressError `refused` where one of them is forbidden, or they are too many to look at; `failed` where there is none.
 */
export const vettedAddresses = async (
  host: string,
  allowed: readonly string[],
  resolve: Resolve,
  deadline: AbortSignal,
): Promise<readonly LookupAddress[]> => {
  const family = isIP(host);
  const addresses =
    family === 0 ? await before(deadline, resolve(host)) : [{ address: host, family }];
  if (addresses.length === 0) throw new EgressError('failed', `${host} has no address`);
  if (addresses.length > MOST_ADDRESSES)
    throw new EgressError('refused', `${host} has more than ${MOST_ADDRESSES} addresses`);
  const forbidden = addresses.find(({ address }) => isForbiddenAddress(address, allowed));
  if (forbidden)
    throw new EgressError(
      'refused',
      `${host} leads to ${forbidden.address}, which is not a public address`,
    );
  return addresses;
};
