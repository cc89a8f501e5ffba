import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rfc3161Checker } from '../../adapters/tsa/rfc3161-checker.ts';
import {
  TimestampRootsError,
  type TimestampReading,
} from '../../domain/vault/timestamp-checker.port.ts';
import { OpensslTsa, type AuthorityShape } from '../support/peers/openssl-tsa.ts';

// Contract of domain/vault/timestamp-checker.port.ts

const IMPRINT = createHash('sha256').update('a signature').digest();
const RSA_KEY = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];
const P384_KEY = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'];

/** YYYYMMDDHHMMSSZ. */
const yearsAway = (years: number): string => `${new Date().getUTCFullYear() + years}0101000000Z`;

describe('a checker of RFC 3161 tokens', () => {
  const made: OpensslTsa[] = [];
  const authority = (shape?: AuthorityShape): OpensslTsa => {
    const tsa = new OpensslTsa(shape);
    made.push(tsa);
    return tsa;
  };
  let tsa: OpensslTsa;
  let token: Uint8Array;
  let checker: Rfc3161Checker;

  beforeAll(async () => {
    tsa = authority();
    token = tsa.token(IMPRINT);
    checker = await Rfc3161Checker.under(tsa.root);
  });
  afterAll(() => Promise.all(made.map((one) => one.end())));

  const underOwnRoot = async (other: OpensslTsa, section?: string): Promise<TimestampReading> =>
    (await Rfc3161Checker.under(other.root)).read(other.token(IMPRINT, section));

  it('tells what openssl stamped: over what, when, and who says so', async () => {
    const reading = await checker.read(token);
    expect(reading).toEqual({
      stamp: {
        imprint: { algorithm: '2.16.840.1.101.3.4.2.1', hash: new Uint8Array(IMPRINT) },
        genTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        authority: 'O=Notary test, CN=Test Time Stamps',
      },
    });
    expect(tsa.verifies(token, IMPRINT)).toBe(true);
    expect(await Rfc3161Checker.withoutRoots().read(token)).toEqual(reading);
  });

  it.each([
    ['RSA', RSA_KEY],
    ['P-384', P384_KEY],
  ])('takes an authority with a key of %s', async (_name, key) => {
    expect(await underOwnRoot(authority({ key }))).toHaveProperty('stamp');
  });

  it('finds the root among several, whatever stands between them', async () => {
    const roots = `one\n${authority({ name: 'Other' }).root}\ntwo\n${tsa.root}`;
    expect(await (await Rfc3161Checker.under(roots)).read(token)).toHaveProperty('stamp');
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'refuses roots that are none: %j',
    async (pem) => {
      await expect(Rfc3161Checker.under(pem)).rejects.toBeInstanceOf(TimestampRootsError);
    },
  );

  it.each<[string, AuthorityShape, string]>([
    ['without the purpose', { extensions: 'keyUsage=digitalSignature' }, 'for time stamps alone'],
    [
      'with a purpose that is not critical',
      { extensions: 'extendedKeyUsage=timeStamping' },
      'for time stamps alone',
    ],
    [
      'with another purpose besides',
      { extensions: 'extendedKeyUsage=critical,timeStamping,codeSigning' },
      'for time stamps alone',
    ],
    [
      'whose key is for something else',
      { extensions: 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,keyAgreement' },
      'not for signatures',
    ],
    [
      'that expired',
      {
        extensions: 'extendedKeyUsage=critical,timeStamping',
        validity: ['20200101000000Z', '20210101000000Z'],
      },
      'not valid at the time',
    ],
    [
      'that is not valid yet',
      {
        extensions: 'extendedKeyUsage=critical,timeStamping',
        validity: ['20900101000000Z', '20910101000000Z'],
      },
      'not valid at the time',
    ],
    [
      'below a CA that may sign none',
      { between: 'nameConstraints=critical,excluded;dirName:none\n[ none ]\nO=Notary test' },
      'does not hold',
    ],
  ])('refuses a certificate %s', async (_name, shape, detail) => {
    const other = authority(shape);
    const reading = await (
      await Rfc3161Checker.under(other.root)
    ).read(other.signed(tsa.infoIn(tsa.token(IMPRINT))));
    expect(reading).toEqual({
      fault: 'invalid',
      detail: expect.stringContaining(detail) as string,
    });
  });

  it('takes what a good certificate signed in the same way', async () => {
    const other = authority({ validity: [yearsAway(-1), yearsAway(1)] });
    const checker = await Rfc3161Checker.under(other.root);
    expect(await checker.read(other.signed(tsa.infoIn(tsa.token(IMPRINT))))).toHaveProperty(
      'stamp',
    );
  });

  it('refuses the way over a CA that is none, and one that is longer than a CA allows', async () => {
    const other = authority();
    const leafOf = (by: string, ca: string): OpensslTsa => {
      const one = authority();
      one.issue('ca', 'CA', P384_KEY, 'root', ca);
      one.issue('sub', 'Sub', P384_KEY, 'ca', 'basicConstraints=critical,CA:TRUE');
      one.issue('tsa', 'TSA', P384_KEY, by, 'extendedKeyUsage=critical,timeStamping');
      one.write('chain.pem', one.read('ca.crt') + one.read('sub.crt'));
      return one;
    };
    const reading = (one: OpensslTsa): Promise<TimestampReading> => underOwnRoot(one);
    expect(await reading(leafOf('sub', 'basicConstraints=critical,CA:TRUE'))).toHaveProperty(
      'stamp',
    );
    expect(await reading(leafOf('ca', 'basicConstraints=critical,CA:FALSE'))).toHaveProperty(
      'fault',
    );
    expect(
      await reading(leafOf('sub', 'basicConstraints=critical,CA:TRUE,pathlen:0')),
    ).toMatchObject({ detail: expect.stringContaining('longer') as string });
    expect(await (await Rfc3161Checker.under(other.root)).read(token)).toMatchObject({
      fault: 'invalid',
      detail: expect.stringContaining('none of the trusted roots') as string,
    });
  });

  it('refuses a token that names its certificate by SHA-1 alone', async () => {
    expect(await underOwnRoot(tsa, 'sha1_ess')).toMatchObject({
      fault: 'invalid',
      detail: expect.stringContaining('ESSCertIDv2') as string,
    });
  });

  it('gives no pass to a token with any byte changed, cut off or added', async () => {
    const passed: string[] = [];
    const masks = [0x01, 0x08, 0x20, 0x80];
    for (let at = 0; at < token.length; at++) {
      const mask = masks[at % masks.length]!;
      const changed = Uint8Array.from(token);
      changed[at]! ^= mask;
      if (!('fault' in (await checker.read(changed)))) passed.push(`${at} ^ ${mask}`);
    }
    for (let end = 0; end < token.length; end += 7)
      if (!('fault' in (await checker.read(token.slice(0, end))))) passed.push(`cut at ${end}`);
    if (!('fault' in (await checker.read(Uint8Array.of(...token, 0))))) passed.push('longer');
    expect(passed).toEqual([]);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('<html>no token</html>')],
    ['a deep nest', new Uint8Array(60_000).fill(0x30)],
    ['indefinite lengths', Uint8Array.of(0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0)],
    ['a megabyte', new Uint8Array(1_000_000)],
  ])('gives a reading of %s', async (_name, bytes) => {
    expect(await checker.read(bytes)).toHaveProperty('fault', 'invalid');
  });
});
