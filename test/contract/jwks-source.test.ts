import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpsEgressClient } from '../../adapters/egress/https-egress-client.ts';
import { JwksCache } from '../../adapters/oidc/jwks-cache.ts';
import {
  JwksUnavailableError,
  type JwksSource,
} from '../../application/identity/jwks-source.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { serveTls, tlsFiles, type TlsServer } from '../support/peers/oidc.ts';

// Contract of application/identity/jwks-source.port.ts

const egress = new HttpsEgressClient({
  allowed: { JWKS: ['127.0.0.1/32'] },
  ca: tlsFiles.ca.toString(),
});
const key = async (kid: string, alg = 'ES256'): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey)),
  kid,
  alg,
  use: 'sig',
});

let documents: { [path: string]: unknown } = {};
const server: TlsServer = await serveTls((incoming, outgoing) => {
  const document = documents[String(incoming.url)];
  if (document === undefined) outgoing.writeHead(404).end();
  else
    outgoing.writeHead(200).end(typeof document === 'string' ? document : JSON.stringify(document));
});
afterAll(() => server.close());

let time = 0;
let source: JwksSource;
const place = { issuerUrl: server.url, jwksUri: `${server.url}/jwks` };
const kids = async (kid: string | null, at = place) =>
  (await source.keysFor(at, 'ES256', kid)).map((jwk) => jwk['kid']);

beforeEach(async () => {
  time += 10_000_000;
  server.asked.length = 0;
  documents = { '/jwks': { keys: [await key('a'), await key('b'), await key('r', 'RS256')] } };
});

describe.each<[string, (clock: Clock) => JwksSource]>([
  ['JwksCache', (clock) => new JwksCache(egress, clock)],
])('key sets of %s', (_name, open) => {
  beforeEach(() => {
    source = open({ now: () => new Date(time) });
  });

  it('are fetched once, whoever asks at once and later, for ten minutes', async () => {
    await Promise.all(Array.from({ length: 10 }, () => kids('a')));
    time += 599_000;
    expect(await kids('b')).toEqual(['b']);
    expect(server.asked).toHaveLength(1);
    time += 2_000;
    await kids('b');
    expect(server.asked).toHaveLength(2);
  });

  it('are fetched again if they were fetched while the clock was three hours ahead', async () => {
    await kids('a');
    expect(await kids('invented')).toEqual([]);
    time -= 3 * 3_600_000;
    await kids('a');
    expect(server.asked).toHaveLength(3);
    expect(await kids('new')).toEqual([]);
    expect(server.asked).toHaveLength(4);
    time += 3 * 3_600_000;
  });

  it('are looked at again for an unknown kid, once a minute', async () => {
    expect(await kids('new')).toEqual([]);
    documents['/jwks'] = { keys: [await key('new')] };
    expect(await kids('new')).toEqual([]);
    expect(server.asked).toHaveLength(2);
    time += 60_000;
    expect(await kids('new')).toEqual(['new']);
    for (let i = 0; i < 20; i++) expect(await kids(`invented-${i}`)).toEqual([]);
    expect(server.asked).toHaveLength(3);
  });

  it('give those that fit the algorithm where there is no kid', async () => {
    expect(await kids(null)).toEqual(['a', 'b']);
    expect((await source.keysFor(place, 'RS256', null)).map((jwk) => jwk['kid'])).toEqual(['r']);
    expect(await source.keysFor(place, 'PS256', 'r')).toEqual([]);
  });

  it('are found by discovery where no place is given, and the configuration must name this very issuer', async () => {
    const discovered = { issuerUrl: server.url, jwksUri: null as unknown as string };
    documents['/.well-known/openid-configuration'] = {
      issuer: server.url,
      jwks_uri: `${server.url}/jwks`,
    };
    expect(await kids('a', discovered)).toEqual(['a']);
    documents['/.well-known/openid-configuration'] = {
      issuer: `${server.url}/`,
      jwks_uri: `${server.url}/jwks`,
    };
    time += 700_000;
    await expect(kids('a', discovered)).rejects.toBeInstanceOf(JwksUnavailableError);
  });

  it.each([
    ['nothing there', undefined],
    ['no JSON', 'keys'],
    ['no array of keys', { keys: {} }],
    ['a member twice', '{"keys":[],"keys":[]}'],
    ['too many keys', { keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }],
    ['10 MB', 'x'.repeat(10_000_000)],
    ['JSON nested deeply', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ])('fail with a reason for %s, and are not asked for again at once', async (_what, document) => {
    documents['/jwks'] = document;
    await expect(kids('a')).rejects.toBeInstanceOf(JwksUnavailableError);
    await expect(kids('a')).rejects.toBeInstanceOf(JwksUnavailableError);
    expect(server.asked).toHaveLength(1);
    documents['/jwks'] = { keys: [await key('a')] };
    time += 2_000;
    expect(await kids('a')).toEqual(['a']);
  });

  it.each([
    ['a closed port', 'https://127.0.0.1:9/'],
    ['an http URL', 'http://localhost/'],
    ['a name of a private address', 'https://localhost:9/'],
  ])('fail with a reason where discovery leads to %s', async (_what, uri) => {
    documents['/.well-known/openid-configuration'] = { issuer: server.url, jwks_uri: uri };
    await expect(
      kids('a', { issuerUrl: server.url, jwksUri: null as unknown as string }),
    ).rejects.toBeInstanceOf(JwksUnavailableError);
  });

  it('leave out keys that must not be believed', async () => {
    const small = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]).toString('base64url');
    const rsa = await key('rsa', 'RS256');
    documents['/jwks'] = {
      keys: [
        { kty: 'OKP', crv: 'Ed25519', x: small, kid: 'small' },
        { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
        { ...(await key('private')), d: 'x' },
        { ...rsa, n: `${'A'.repeat(4000)}`, kid: 'huge' },
        { ...(await key('enc')), use: 'enc' },
        null,
        'text',
        rsa,
      ],
    };
    for (const [algorithm, kid] of [
      ['EdDSA', 'small'],
      ['ES256', 'private'],
      ['RS256', 'huge'],
      ['ES256', 'enc'],
    ] as const)
      expect(await source.keysFor(place, algorithm, kid)).toEqual([]);
    expect(await source.keysFor(place, 'RS256', 'rsa')).toHaveLength(1);
  });
});
