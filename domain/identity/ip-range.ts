import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The one spelling of an address: dotted decimal, or RFC 5952. An IPv4-mapped IPv6 address becomes
 * the IPv4 one; a zone is dropped. Null where the text is no address. Octal and shortened IPv4
 * forms are refused, because programs disagree on what they mean.
 */
export const normaliseAddress = (text: string): string | null => {
  if (DOTTED_DECIMAL.test(text)) return text;
  const address = parse(text);
  return address === null ? null : spell(address);
};

/** Whether the text is a CIDR range such as 10.0.0.0/8 or 2001:db8::/32, or a single address. */
export const isCidr = (text: string): boolean => range(text) !== null;

/** Whether the address lies in one of the ranges. Text that is not an address lies in none. */
export const inRanges = (address: string, cidrs: readonly string[]): boolean => {
  const parsed = parse(address);
  return (
    parsed !== null &&
    cidrs.some((cidr) => {
      const found = range(cidr);
      return found !== null && found[0].kind() === parsed.kind() && parsed.match(found);
    })
  );
};

/**
 * Whether each inner range lies in one of the outer ranges, as those of a minted key must lie in
 * its minter's.
 */
export const rangesCover = (outer: readonly string[], inner: readonly string[]): boolean =>
  inner.every((cidr) => {
    const small = range(cidr);
    return (
      small !== null &&
      outer.some((candidate) => {
        const large = range(candidate);
        return (
          large !== null &&
          large[0].kind() === small[0].kind() &&
          large[1] <= small[1] &&
          small[0].match(large)
        );
      })
    );
  });

/**
 * The part of an address that one party controls: all of an IPv4 address, the /64 of an IPv6 one.
 */
export const addressBlock = (address: string): string => {
  if (DOTTED_DECIMAL.test(address)) return address;
  const parsed = parse(address);
  if (parsed === null || parsed instanceof ipaddr.IPv4)
    return parsed === null ? address : spell(parsed);
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toRFC5952String()}/64`;
};

/** An IPv4 address in the spelling that it has here. Most callers have one, and each call asks for it twice. */
const DOTTED_DECIMAL = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const parse = (text: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

const spell = (address: Address): string =>
  address instanceof ipaddr.IPv4
    ? address.toString()
    : new ipaddr.IPv6(address.parts).toRFC5952String();

/**
 * The same ranges, from settings and key rows, are checked on every request, so their parsed form
 * is kept.
 */
const ranges = new Map<string, [Address, number] | null>();

const range = (text: string): [Address, number] | null => {
  const known = ranges.get(text);
  if (known !== undefined) return known;
  const parsed = parseRange(text);
  if (ranges.size >= 4096) ranges.clear();
  ranges.set(text, parsed);
  return parsed;
};

const parseRange = (text: string): [Address, number] | null => {
  const [base, length, ...rest] = text.split('/');
  const address = parse(base!);
  if (address === null || rest.length > 0) return null;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (length === undefined) return [address, width];
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8 written for IPv6.
  const bits = Number(length) - (width === 32 && base!.includes(':') ? 96 : 0);
  return bits >= 0 && bits <= width ? [address, bits] : null;
};
