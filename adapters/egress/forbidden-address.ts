import ipaddr from 'ipaddr.js';
import { inRanges } from '../../domain/identity/ip-range.ts';

/**
 * Whether the service must not connect to an address. Only public unicast addresses are permitted,
 * in IPv4, IPv6 and IPv4-mapped form, and those in one of the CIDR ranges `allowed`. Text that is
 * not an address is forbidden.
 */
export const isForbiddenAddress = (text: string, allowed: readonly string[]): boolean => {
  const bare = text.replace(/%.*$/, '');
  if (inRanges(bare, allowed)) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return isForbidden4(ipaddr.IPv4.parse(bare));
  if (!ipaddr.IPv6.isValid(bare)) return true;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress()
    ? isForbidden4(address.toIPv4Address())
    : address.range() !== 'unicast' ||
        !inRanges(bare, GLOBAL_UNICAST) ||
        inRanges(bare, NOT_PUBLIC);
};

const isForbidden4 = (address: ipaddr.IPv4): boolean =>
  address.range() !== 'unicast' || inRanges(address.toString(), NOT_PUBLIC);

/**
 * The part of the global unicast space (RFC 4291 section 2.4) that IANA allocates from. Nothing can
 * be fetched from outside of it.
 */
const GLOBAL_UNICAST = ['2000::/3'];

/**
 * The library knows most of these too, but an update of it must not open them. 168.63.129.16 is the
 * metadata address of a cloud and looks public.
 */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];
