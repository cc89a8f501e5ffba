import { describe, expect, it } from 'vitest';
import { ClientAddresses, limitKeyOfAddress } from '../../../adapters/limits/client-address.ts';
import {
  inRanges,
  isCidr,
  normaliseAddress,
  rangesCover,
} from '../../../domain/identity/ip-range.ts';

describe('the one spelling of an address', () => {
  const OCTETS = ['0', '1', '9', '10', '99', '100', '199', '200', '249', '250', '255'];
  const NO_OCTETS = [
    '',
    '00',
    '01',
    '256',
    '260',
    '300',
    '999',
    '1000',
    '-1',
    '1 ',
    'a',
    '0x1',
    '1e1',
  ];

  it('of dotted decimal is the text itself', () => {
    for (const octet of OCTETS)
      for (const text of [`${octet}.2.3.4`, `1.${octet}.3.4`, `1.2.3.${octet}`]) {
        expect(normaliseAddress(text)).toBe(text);
        expect(limitKeyOfAddress(text)).toBe(`address:${text}`);
        expect(normaliseAddress(`::ffff:${text}`)).toBe(text);
      }
  });

  it('is none of what only resembles it', () => {
    for (const octet of NO_OCTETS)
      for (const text of [`${octet}.2.3.4`, `1.${octet}.3.4`, `1.2.3.${octet}`])
        expect(normaliseAddress(text), text).toBeNull();
    for (const text of [
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.4.',
      '.1.2.3.4',
      '1.2.3.4\n',
      '1..3.4',
      '16909060',
    ])
      expect(normaliseAddress(text), text).toBeNull();
  });
});

describe('ClientAddresses', () => {
  const behind = new ClientAddresses(['10.0.0.0/8', '2001:db8:ffff::/48']);

  it.each<[string, string | undefined, string | undefined, string]>([
    ['is the peer where no header is sent', '10.0.0.1', undefined, '10.0.0.1'],
    [
      'is the peer where the peer is no trusted proxy, whatever it claims',
      '203.0.113.9',
      '198.51.100.1',
      '203.0.113.9',
    ],
    ['is the hop before a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'is the rightmost untrusted hop: what the caller wrote stands left of it',
      '10.0.0.1',
      '1.2.3.4, 198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    [
      'is never reached through an untrusted hop',
      '10.0.0.1',
      '1.2.3.4, 10.0.0.3, 198.51.100.1',
      '198.51.100.1',
    ],
    ['is the leftmost hop where all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [
      'is the last good hop before one that is no address',
      '10.0.0.1',
      '198.51.100.1, unknown, 10.0.0.2',
      '10.0.0.2',
    ],
    ['is the proxy where the header is rubbish', '10.0.0.1', '<script>', '10.0.0.1'],
    ['is normalised from an IPv4-mapped peer', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    [
      'knows a trusted proxy by its IPv4-mapped form',
      '::ffff:10.0.0.1',
      '::ffff:198.51.100.1',
      '198.51.100.1',
    ],
    ['may be IPv6, in one spelling', '2001:db8:ffff::1', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['may carry a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['may carry a port in IPv6', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['is unknown on a dead connection', undefined, '198.51.100.1', 'unknown'],
  ])('%s', (_title, peer, header, expected) => {
    expect(behind.resolve(peer, header)).toBe(expected);
  });

  it('ignores the header where no proxy is trusted', () => {
    expect(new ClientAddresses([]).resolve('10.0.0.1', '198.51.100.1')).toBe('10.0.0.1');
  });
});

describe('limitKeyOfAddress', () => {
  it('counts an IPv4 address for itself and an IPv6 address by its /64', () => {
    expect(limitKeyOfAddress('198.51.100.1')).toBe('address:198.51.100.1');
    expect(limitKeyOfAddress('2001:db8:1:2:3:4:5:6')).toBe('address:2001:db8:1:2::/64');
    expect(limitKeyOfAddress('2001:db8:1:2:ffff::1')).toBe(limitKeyOfAddress('2001:db8:1:2::'));
    expect(limitKeyOfAddress('2001:db8:1:3::1')).not.toBe(limitKeyOfAddress('2001:db8:1:2::1'));
    expect(limitKeyOfAddress('::ffff:198.51.100.1')).toBe('address:198.51.100.1');
    expect(limitKeyOfAddress('unknown')).toBe('address:unknown');
  });
});

describe('Ranges of addresses', () => {
  it.each([
    '10.0.0.0/8',
    '0.0.0.0/0',
    '10.1.2.3/8',
    '198.51.100.1',
    '::/0',
    '2001:db8::/32',
    '2001:db8::1',
    '::ffff:10.0.0.0/104',
  ])('takes %s', (text) => {
    expect(isCidr(text)).toBe(true);
  });

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '010.0.0.1',
    '0x7f.1',
    '127.1',
    '2130706433',
    '2001:db8::/129',
    '::ffff:10.0.0.0/8',
    'localhost',
    '10.0.0.0/8 ',
  ])('refuses %j', (text) => {
    expect(isCidr(text)).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ['10.255.0.1', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['::ffff:10.0.0.1', '10.0.0.0/8', true],
    ['10.0.0.1', '::ffff:10.0.0.0/104', true],
    ['11.0.0.1', '::ffff:10.0.0.0/104', false],
    ['2001:db8::5', '2001:db8::/32', true],
    ['2001:db9::5', '2001:db8::/32', false],
    ['10.0.0.1', '::/0', false],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['unknown', '0.0.0.0/0', false],
    ['198.51.100.1', '198.51.100.1', true],
    ['198.51.100.2', '198.51.100.1', false],
  ])('finds %s in %s: %s', (address, cidr, expected) => {
    expect(inRanges(address, ['192.0.2.0/24', cidr])).toBe(expected);
  });

  it('lets nothing in through an empty list', () => {
    expect(inRanges('10.0.0.1', [])).toBe(false);
  });

  it('knows when ranges lie within others', () => {
    expect(
      rangesCover(['10.0.0.0/8', '2001:db8::/32'], ['10.1.0.0/16', '2001:db8:1::/48', '10.0.0.1']),
    ).toBe(true);
    expect(rangesCover(['10.0.0.0/8'], ['10.0.0.0/8'])).toBe(true);
    expect(rangesCover(['10.0.0.0/8'], ['10.0.0.0/7'])).toBe(false);
    expect(rangesCover(['10.0.0.0/8'], ['10.0.0.0/16', '192.0.2.1'])).toBe(false);
    expect(rangesCover(['0.0.0.0/0'], ['::/0'])).toBe(false);
  });

  it.each<[string, string | null]>([
    ['2001:DB8:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['127.1', null],
    ['host', null],
    ['', null],
  ])('spells %s as %s', (text, expected) => {
    expect(normaliseAddress(text)).toBe(expected);
  });
});
