import { describe, expect, it } from 'vitest';
import { assertReceiverUrl } from '../../../domain/delivery/receiver-url.ts';
import { assertPeerBaseUrl } from '../../../domain/federation/peer-claim.ts';
import { assertProviderUrl } from '../../../domain/identity/trusted-issuer.ts';
import { exactUrl } from '../../../domain/kernel/exact-url.ts';

/** Texts that the URL standard reads otherwise than a person, or than another parser. */
const AMBIGUOUS = [
  'https://good.example\r\n/hook',
  'https://good.example/ho\nok',
  'https://good.example/\tx',
  ' https://good.example',
  'https://good.example/ ',
  String.raw`https://good.example\@evil.example/`,
  String.raw`https://good.example/a\b`,
  'https:///good.example/',
  'https:good.example/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://127.1/',
  'https://%67ood.example/',
  'https://gööd.example/',
  'https://good。example/',
  'https://good.example/\u200bx',
  'https://good.example/\ufeff',
  'https://good.example/%zz',
  'https://good.example/"x"',
  'https://[0:0::1]/',
  'https://good.example/a/../b',
  'https://good.example/./b',
  'https://good.example/a/..',
  'https://good.example/a/%2E%2e/b',
  'https://@good.example/',
  'https://:@good.example/',
  'https://.good.example/',
  'https://good..example/',
];

describe('a URL that is given', () => {
  it.each(AMBIGUOUS)('%j is taken in no place, because not every reader reads it alike', (text) => {
    expect(exactUrl(text)).toBeNull();
    expect(() => assertReceiverUrl(text)).toThrow(/url must be/);
    expect(() => assertProviderUrl(text, 'issuerUrl')).toThrow(/issuerUrl must be/);
    expect(() => assertProviderUrl(text, 'jwksUri')).toThrow(/jwksUri must be/);
    expect(() => assertPeerBaseUrl(text)).toThrow(/baseUrl of a hub/);
  });

  it.each([
    'https://good.example',
    'https://Good.Example:443/hook?a=b&c=%C3%B6#part',
    'https://good.example:8443/a;b,c/(d)/~e',
    'https://good.example/a..b/...?next=/../c',
    'https://good.example?a=b',
    'https://xn--gd-fkaa.example/',
    'https://192.0.2.7/hook',
    'https://[2001:db8::1]:8443/hook',
    'https://user:secret@good.example/',
    'http://127.0.0.1:3000',
  ])('%j is taken as it is', (text) => {
    expect(exactUrl(text)?.href).toBe(new URL(text).href);
  });
});
