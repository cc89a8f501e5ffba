import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboundRoutes } from '../../../adapters/federation/inbound.ts';
import { createHttpApp } from '../../../adapters/http/app.ts';
import { freePort } from '../../support/service/free-port.ts';
import { refuse } from '../../../adapters/http/refuse.ts';
import { HttpServer } from '../../../adapters/http/server.ts';
import { limitKeyOfAddress } from '../../../adapters/limits/client-address.ts';
import { Budgets } from '../../../application/call/budgets.ts';
import { AdmitPeer } from '../../../application/federation/admit-peer.ts';
import { HubIdentity } from '../../../application/federation/hub-identity.ts';
import { ReceiveHandshake } from '../../../application/federation/receive-handshake.ts';
import { RefusedMessages } from '../../../application/federation/refused-messages.ts';
import { UnprovenBodies } from '../../../application/federation/unproven-bodies.ts';
import { peerBodyBytes } from '../../../config/peer-bodies.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { VerifiedPeer } from '../../../domain/federation/peer.ts';
import { useApi } from '../../support/service/api.ts';
import { Stranger, type Forged, type Reached } from '../../support/hubs/stranger.ts';
import { tellSums } from '../../support/databases/tell-sums.ts';
import { ok, type Answer, type Body } from '../../support/service/world.ts';

const PEERS = '/v1/admin/federation/peers';
const STATES = '/federation/v1/state-transitions';
const SIGNALS = '/federation/v1/signals';
const MAX_BODY = 65_536;
const LIMIT = peerBodyBytes(MAX_BODY);

/** The HTTP routes for peers over a real socket. Their receivers only store what arrives. */
const api = useApi({
  MAX_BODY_BYTES: String(MAX_BODY),
  RATE_LIMIT_PEER: '20',
  RATE_LIMIT_ANONYMOUS: '400',
  TRUSTED_PROXIES: '127.0.0.0/8',
});
const taken: { readonly peer: VerifiedPeer; readonly body: Body; readonly route: string }[] = [];
let server: HttpServer;
let hub: Reached;
let hubId: string;

beforeAll(async () => {
  const { container } = api.service;
  const log = container.get(TOKENS.log);
  const remember = (route: string) => ({
    execute: async (peer: VerifiedPeer, body: Body) => {
      taken.push({ peer, body, route });
      return { outcome: 'applied' };
    },
  });
  const refused = refuse(log);
  const routes = inboundRoutes(
    {
      admit: container.get(AdmitPeer),
      handshakes: container.get(ReceiveHandshake),
      receivers: { stateTransitions: remember(STATES), signals: remember(SIGNALS) },
      budgets: container.get(Budgets),
      bodies: container.get(UnprovenBodies),
      refused: container.get(RefusedMessages),
      json: container.get(TOKENS.peerJsonReader),
      clientAddress: container.get(TOKENS.clientAddress),
      addressKey: limitKeyOfAddress,
      hub: container.get(HubIdentity),
      refuse: refused,
    },
    LIMIT,
  );
  const app = createHttpApp(
    routes,
    { admitAnybody: async () => undefined, log },
    { handlerTimeoutMs: 30_000, corsOrigins: [] },
  );
  const port = await freePort();
  server = new HttpServer(app, {
    host: '127.0.0.1',
    port,
    connectionTimeoutMs: 30_000,
    keepAliveTimeoutMs: 40_000,
    drainMs: 1_000,
    maxConnections: 256,
    maxConnectionsPerAddress: 0,
    trustedProxies: [],
  });
  await server.start();
  hub = { service: { url: `http://127.0.0.1:${port}` } };
  ({ hubId } = (await ok(api.world.anonymous.get('/federation/v1/identity'))) as {
    hubId: string;
  });
});
afterAll(() => server.stop());

/** A registered peer after its handshake. */
const newPeer = async (): Promise<Stranger> => {
  const peer = new Stranger();
  await ok(api.world.platform.post(PEERS, peer.registration));
  expect((await peer.greet(api)).body['status']).toBe('ACTIVE');
  return peer;
};
const message = (from: Stranger, more: Body = {}): Body => ({
  messageId: '1',
  toHubId: hubId,
  originHubId: from.hubId,
  ...more,
});
const send = (from: Stranger, forged: Forged = {}, path = STATES): Promise<Answer<Body>> =>
  from.send(hub, path, message(from), forged);

/** Sends the path unchanged, because fetch normalises paths. */
const rawPost = (path: string, body: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: new URL(hub.service.url!).port, method: 'POST', path, headers },
      (response) => void response.resume().on('end', () => resolve(response.statusCode!)),
    );
    sent.on('error', reject).end(body);
  });

describe('a request of a peer', () => {
  it('reaches the receiver of its route, and the answer has a date', async () => {
    const peer = await newPeer();
    for (const path of [STATES, SIGNALS]) {
      const answer = await send(peer, {}, path);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ outcome: 'applied' });
      expect(Math.abs(Date.parse(answer.headers.get('date')!) - Date.now())).toBeLessThan(60_000);
      const { peer: verified, body, route } = taken.at(-1)!;
      expect({ verified, body, route }).toEqual({
        verified: {
          hubId: peer.hubId,
          publicKeyThumbprint: peer.thumbprint,
          generation: 1,
          vaultRoot: peer.registration['vaultRoot'],
        },
        body: message(peer),
        route: path,
      });
    }
  });

  it('is refused with the same answer for every wrong form, signature and sender', async () => {
    const [peer, other] = [await newPeer(), await newPeer()];
    const stranger = new Stranger();
    const nonce = randomBytes(24).toString('base64url');
    expect((await send(peer, { nonce })).status).toBe(200);
    const iso = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const cases: Readonly<Record<string, () => Promise<Answer<Body>>>> = {
      'a replay': () => send(peer, { nonce }),
      'a replay over the other route': () => send(peer, { nonce }, SIGNALS),
      'an unknown hub': () => send(stranger),
      'the hubId of another peer': () => send(peer, { hubId: other.hubId }),
      'the key of another peer': () => send(peer, { key: other.pair.privateKey }),
      'another body': () => send(peer, { signedBody: '{}' }),
      'another path': () => send(peer, { signedPath: SIGNALS }),
      'another method': () => send(peer, { signedMethod: 'PUT' }),
      'a time of 301 s ago': () => send(peer, { timestamp: iso(-301_000) }),
      // Up to 300 s are taken. What it is ahead shrinks while it is on its way.
      'a time in 310 s': () => send(peer, { timestamp: iso(310_000) }),
      'a time of another zone': () => send(peer, { timestamp: iso(0).replace('Z', '+00:00') }),
      'a time of two digits of a second': () =>
        send(peer, { timestamp: iso(0).replace(/\d\dZ$/, 'Z') }),
      'a day that does not exist': () => send(peer, { timestamp: '2026-02-30T00:00:00Z' }),
      'a short nonce': () => send(peer, { nonce: 'a'.repeat(21) }),
      'a long nonce': () => send(peer, { nonce: 'a'.repeat(65) }),
      'a nonce with a colon': () => send(peer, { nonce: `${'a'.repeat(30)}:b` }),
      'a signature in base64url': () => send(peer, { signature: `${'_'.repeat(85)}A==` }),
      'a signature of 63 bytes': () =>
        send(peer, { signature: Buffer.alloc(63).toString('base64') }),
      'a hubId in capitals': () => send(peer, { hubId: peer.hubId.toUpperCase() }),
      'no headers': () =>
        peer.send(hub, STATES, message(peer), {}, { 'x-service-peer-hub-id': '' }),
      'a query': () => peer.send(hub, `${STATES}?a=b`, message(peer), { signedPath: STATES }),
      'a query under the signature': () => peer.send(hub, `${STATES}?a=b`, message(peer)),
    };
    const before = taken.length;
    const problems: Body[] = [];
    for (const [name, ask] of Object.entries(cases)) {
      const { status, body } = await ask();
      expect([name, status]).toEqual([name, 401]);
      const { requestId: _, ...problem } = body;
      problems.push(problem);
    }
    expect(new Set(problems.map((each) => JSON.stringify({ ...each, instance: '' }))).size).toBe(1);
    expect(taken).toHaveLength(before);
  });

  it('is not taken under another spelling of its path', async () => {
    const peer = await newPeer();
    for (const path of [
      '/federation/v1/state-transitions/',
      '//federation/v1/state-transitions',
      '/federation/v1/state%2Dtransitions',
      '/federation/v1/../v1/./state-transitions/.',
      '/FEDERATION/v1/state-transitions',
      '/federation/v1/state-transitions?',
    ]) {
      const body = JSON.stringify(message(peer));
      const headers = peer.headersOf(path, body, { signedPath: STATES });
      const status = await rawPost(path, body, headers);
      expect([path, status < 300]).toEqual([path, false]);
    }
  });

  it('may use a nonce that another peer used', async () => {
    const [peer, other] = [await newPeer(), await newPeer()];
    const nonce = randomBytes(24).toString('base64url');
    expect((await send(peer, { nonce })).status).toBe(200);
    expect((await send(other, { nonce })).status).toBe(200);
  });

  it('is taken once if it arrives ten times at once', async () => {
    const peer = await newPeer();
    const nonce = randomBytes(24).toString('base64url');
    const timestamp = new Date().toISOString();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => send(peer, { nonce, timestamp })),
    );
    expect(all.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it('is refused and reported to the operators if it names another receiver or sender', async () => {
    const peer = await newPeer();
    const relayed = await peer.send(hub, STATES, message(peer, { toHubId: peer.hubId }));
    expect(relayed.status).toBe(422);
    expect(relayed.body['errors']).toMatchObject([{ path: '/toHubId' }]);
    const posing = await peer.send(hub, STATES, message(peer, { originHubId: hubId }));
    expect(posing.body['errors']).toMatchObject([{ path: '/originHubId' }]);
    expect((await peer.send(hub, STATES, '[]')).status).toBe(400);
    expect((await peer.send(hub, STATES, '{"a":1,"a":2}')).status).toBe(400);
    await tellSums(api);
    const { data } = await ok(api.world.platform.get('/v1/events?type=peer.message_refused'));
    const ofPeer = (data as Body[])
      .map((event) => event['data'] as Body)
      .filter((said) => said['peerHubId'] === peer.hubId);
    expect(ofPeer.map(({ reason, count }) => [reason, count]).sort()).toEqual([
      ['unprocessable', 2],
      ['validation_error', 2],
    ]);
  });

  it('is refused before its body is read if the peer is suspended or revoked', async () => {
    const peer = await newPeer();
    const path = `${PEERS}/${peer.hubId}`;
    for (const act of ['suspend', 'revoke']) {
      await ok(api.world.platform.post(`${path}/${act}`, {}));
      const huge = 'x'.repeat(LIMIT + 1);
      expect((await peer.send(hub, STATES, huge)).status).toBe(401);
      expect((await send(peer)).status).toBe(401);
      expect((await peer.greet(api)).status).toBe(401);
    }
  });

  it('may have a body of twice MAX_BODY_BYTES and 512 KiB, and a handshake one of 64 KiB', async () => {
    const peer = await newPeer();
    const before = taken.length;
    const fits = JSON.stringify(message(peer, { pad: 'x'.repeat(LIMIT - 200) }));
    expect((await peer.send(hub, STATES, fits)).status).toBe(200);
    expect((await peer.send(hub, STATES, `"${'x'.repeat(LIMIT)}"`)).status).toBe(413);
    expect(taken).toHaveLength(before + 1);
    const long = peer.handshake(hubId, { pad: 'x'.repeat(65_536) });
    expect((await peer.send(hub, '/federation/v1/peer', long)).status).toBe(413);
  });

  it('spends the quota of a peer only if that peer signed it', async () => {
    const [peer, other] = [await newPeer(), await newPeer()];
    for (let i = 0; i < 30; i++)
      expect((await send(peer, { key: other.pair.privateKey })).status).toBe(401);
    for (let i = 0; i < 19; i++) expect((await send(peer)).status).toBe(200);
    const limited = [await send(peer), await send(peer)];
    expect(limited.map(({ status }) => status)).toEqual([429, 429]);
    expect(limited[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await send(other)).status).toBe(200);
  });
});

describe('a flood of strangers', () => {
  it('fills at most 100 pending places, and does not stop a registered peer', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 120; i++) {
      const from = { 'x-forwarded-for': `198.51.${Math.floor(i / 2)}.${(i % 2) + 1}` };
      const stranger = new Stranger();
      const asked = stranger.handshake(hubId);
      statuses.push((await stranger.send(hub, '/federation/v1/peer', asked, {}, from)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(new Set(statuses.slice(100))).toEqual(new Set([429]));
    const { total } = await ok(api.world.platform.get(`${PEERS}?status=PENDING`));
    expect(total).toBe(100);
    const peer = await newPeer();
    expect((await send(peer)).status).toBe(200);
  });

  it('neither changes nor reveals a registered peer under its hubId', async () => {
    const peer = await newPeer();
    const before = await ok(api.world.platform.get(`${PEERS}/${peer.hubId}`));
    const squatter = new Stranger(peer.hubId, peer.vaultRoot, 'https://evil.example');
    const nobody = await new Stranger().greet(api);
    expect((await squatter.greet(api)).status).toBe(nobody.status);
    expect(await ok(api.world.platform.get(`${PEERS}/${peer.hubId}`))).toEqual(before);
    // The key of a peer is not accepted under another hubId.
    const twin = new Stranger();
    const stolen = { publicKeyJwk: peer.jwk };
    const asked = twin.handshake(hubId, stolen);
    const by = { key: peer.pair.privateKey };
    expect((await twin.send(hub, '/federation/v1/peer', asked, by)).status).toBe(422);
  });

  it('does not delay a hub whose hubId a stranger used first', async () => {
    const real = new Stranger();
    const posing = new Stranger(real.hubId);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    await posing.send(hub, '/federation/v1/peer', posing.handshake(hubId), {}, from);
    await ok(api.world.platform.post(PEERS, real.registration));
    expect((await ok(api.world.platform.get(`${PEERS}/${real.hubId}`)))['status']).toBe(
      'REGISTERED',
    );
    expect((await real.greet(api)).body['status']).toBe('ACTIVE');
  });
});

describe('an address that sends only invalid requests', () => {
  it('is limited', async () => {
    const stranger = new Stranger();
    let last = 0;
    for (let i = 0; i < 500 && last !== 429; i++) last = (await send(stranger)).status;
    expect(last).toBe(429);
  });
});
