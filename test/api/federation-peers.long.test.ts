import { randomBytes, sign, verify, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { openHubs, type TestHub } from '../support/hubs/hubs.ts';
import { until } from '../support/peers/receiver.ts';
import { Stranger, thumbprintOf } from '../support/hubs/stranger.ts';
import { ok, type Body } from '../support/service/world.ts';

const PEERS = '/v1/admin/federation/peers';

const statusAt = async (hub: TestHub, other: Body): Promise<unknown> => {
  const { status, body } = await hub.platform.get(`${PEERS}/${String(other['hubId'])}`);
  return status === 200 ? body['status'] : null;
};

describe.each(databases())('two hubs that register each other, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let [home, away]: readonly TestHub[] = [];

  beforeAll(async () => {
    [home, away] = await openHubs(['home', 'away'], own.env);
  });
  afterAll(async () => {
    await Promise.all([home?.end(), away?.end()]);
    await own.drop();
  });

  it('shows who it is to anybody, with the thumbprint of RFC 9679 and the root of its vault', async () => {
    const identity = await home!.identity();
    expect(identity).toEqual({
      hubId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'home',
      baseUrl: home!.url,
      publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/) },
      publicKeyThumbprint: thumbprintOf(identity['publicKeyJwk'] as Body),
      vaultRoot: home!.service.vault.fingerprint,
      protocolVersions: ['1.0'],
      vaultKeysUrl: `${home!.url}/v1/verification-keys`,
    });
    // Made once, and sealed.
    expect(await home!.identity()).toEqual(identity);
  });

  it('is PENDING at the other one until that registers it as well, and then both are ACTIVE', async () => {
    const [mine, other] = [await home!.identity(), await away!.identity()];
    const registered = await home!.register(away!);
    expect(registered).toMatchObject({
      hubId: other['hubId'],
      status: 'REGISTERED',
      publicKeyThumbprint: other['publicKeyThumbprint'],
      greetedAt: null,
    });
    expect(await statusAt(away!, mine)).toBe('PENDING');
    const accepted = await away!.register(home!);
    expect(accepted['status']).toBe('ACTIVE');
    await until(async () => (await statusAt(home!, other)) === 'ACTIVE');
  });

  it('tells of every change on the platform chain and by an event', async () => {
    const other = await away!.identity();
    const told = async () =>
      ((await ok(home!.platform.get('/v1/events?limit=200')))['data'] as Body[])
        .filter(({ type }) => String(type).startsWith('peer.'))
        .map(({ type, data }) => [type, (data as Body)['peerHubId'], (data as Body)['actor'].kind]);
    await until(async () => (await told()).length > 1);
    expect((await told()).reverse()).toEqual([
      ['peer.registered', other['hubId'], 'platform'],
      ['peer.updated', other['hubId'], 'peer'],
    ]);
  });

  it('refuses to register a hub twice, itself, or a key under another hubId', async () => {
    const { hubId, baseUrl, publicKeyJwk, vaultRoot } = await away!.identity();
    const input = { hubId, baseUrl, publicKeyJwk, vaultRoot };
    expect((await home!.platform.post(PEERS, input)).status).toBe(409);
    const stranger = new Stranger();
    const underAnother = await home!.platform.post(PEERS, { ...input, hubId: stranger.hubId });
    expect(underAnother.status).toBe(422);
    expect(underAnother.body['detail']).toContain('one hub for ever');
    const own = await home!.identity();
    const itself = await home!.platform.post(PEERS, { ...input, hubId: own['hubId'] });
    expect(itself.status).toBe(422);
    const ownKey = { ...input, hubId: stranger.hubId, publicKeyJwk: own['publicKeyJwk'] };
    expect((await home!.platform.post(PEERS, ownKey)).status).toBe(422);
    for (const bad of ['http://hub.example', 'https://hub.example/path', 'https://hub.example/'])
      expect(
        (await home!.platform.post(PEERS, { ...input, hubId: stranger.hubId, baseUrl: bad }))
          .status,
      ).toBe(422);
  });

  it('refuses a private address that the operator does not allow: registered, approved, or as a change', async () => {
    const stranger = new Stranger(undefined, undefined, 'https://10.0.0.1');
    expect((await stranger.greet(home!)).status).toBe(200);
    const { publicKeyThumbprint, vaultRoot } = await ok(
      home!.platform.get(`${PEERS}/${stranger.hubId}`),
    );
    const { hubId } = await away!.identity();
    const refused = await Promise.all([
      home!.platform.post(PEERS, stranger.registration),
      home!.platform.post(`${PEERS}/${stranger.hubId}/approve`, { publicKeyThumbprint, vaultRoot }),
      home!.platform.post(PEERS, { ...stranger.registration, baseUrl: 'https://[fd00::1]:8443' }),
      home!.platform.patch(`${PEERS}/${String(hubId)}`, { baseUrl: 'https://10.0.0.1' }),
    ]);
    for (const { status, body } of refused) {
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ path: '/baseUrl' }] });
      expect(body['suggestion']).toContain('EGRESS_ALLOW_CIDRS_PEER');
    }
  });

  it('is suspended and resumed, and takes nothing else then', async () => {
    const { hubId } = await away!.identity();
    const act = (name: string) => home!.platform.post(`${PEERS}/${String(hubId)}/${name}`, {});
    expect((await act('resume')).status).toBe(422);
    expect((await ok(act('suspend')))['status']).toBe('SUSPENDED');
    const again = await act('suspend');
    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({ currentState: 'SUSPENDED', attemptedAction: 'suspend' });
    expect((await ok(act('resume')))['status']).toBe('ACTIVE');
  });

  it('finds the vault keys of the other one from its root, and keeps them', async () => {
    const { PeerVaultKeys } = await import('../../application/federation/peer-vault-keys.ts');
    const { hubId } = await away!.identity();
    const keys = home!.service.container.get(PeerVaultKeys);
    const first = away!.service.vault.keyId;
    const found = await keys.find(String(hubId), first);
    expect(found).toMatchObject({ keyId: first, retiredAt: null, retirement: null });
    expect((await keys.successionTo(String(hubId), first))?.statements).toHaveLength(1);
    expect(await keys.find(String(hubId), home!.service.vault.keyId)).toBeNull();
    expect((await home!.peer(hubId))['name']).toBe('away');
    // Without a network the next process knows them.
    await home!.stop();
    away!.proxy.port = null;
    await home!.start();
    away!.proxy.port = Number(new URL(String(away!.service.url)).port);
    const again = home!.service.container.get(PeerVaultKeys);
    expect(await again.find(String(hubId), first)).toEqual(found);
    // Whoever asked in vain asks again soon.
    away!.proxy.cut();
    const { port } = away!.proxy;
    away!.proxy.port = null;
    const absent = home!.service.vault.keyId;
    expect(await again.find(String(hubId), absent)).toBeNull();
    expect(again.secondsUntilAsked(String(hubId))).toBeLessThanOrEqual(4);
    await until(async () => {
      await again.find(String(hubId), absent);
      return again.secondsUntilAsked(String(hubId)) > 4;
    });
    away!.proxy.port = port;
    // A kid that is not known is asked for, once in a minute.
    const rotate = async (): Promise<string> => {
      const path = '/v1/admin/vault/signing-keys/rotate';
      return String((await ok(away!.platform.post(path, { reason: 'compromised' })))['newKeyId']);
    };
    const second = await rotate();
    await until(async () => (await again.find(String(hubId), second)) !== null);
    expect(await again.find(String(hubId), second)).toMatchObject({ retiredAt: null });
    expect(await again.find(String(hubId), first)).toMatchObject({
      retiredAt: expect.any(String),
      retirement: 'compromised',
    });
    expect((await again.successionTo(String(hubId), second))?.statements).toHaveLength(3);
    expect(await again.find(String(hubId), await rotate())).toBeNull();
    expect(again.secondsUntilAsked(String(hubId))).toBeGreaterThan(30);
  });

  it('rolls the hub key over: the other side follows by the signatures of both keys', async () => {
    const before = await home!.identity();
    const rolled = await ok(home!.platform.post('/v1/admin/federation/hub-key/rotate', {}));
    expect(rolled).toMatchObject({
      previousThumbprint: before['publicKeyThumbprint'],
      peersToTell: 1,
    });
    const after = await home!.identity();
    expect(after['publicKeyThumbprint']).toBe(rolled['publicKeyThumbprint']);
    await until(
      async () =>
        (await away!.peer(before['hubId']))['publicKeyThumbprint'] === after['publicKeyThumbprint'],
    );
    expect(await statusAt(away!, before)).toBe('ACTIVE');
    // An event is listed once it is numbered, which is soon after the commit.
    const told = async () =>
      (await ok(away!.platform.get('/v1/events?type=peer.key_changed')))['data'] as Body[];
    await until(async () => (await told()).length > 0);
    expect(await told()).toHaveLength(1);
    // The former key vouches for nothing more, and is not even kept.
    await until(async () => {
      const keys = await home!.service.container
        .get((await import('../../config/tokens.ts')).TOKENS.hubKeyReads)
        .all();
      return keys.length === 2 && keys[0]!.sealedPrivateKey === null;
    });
  });

  it('follows a roll-over that came while it was away: PENDING to a plain handshake is no sign of the new key', async () => {
    const { TOKENS } = await import('../../config/tokens.ts');
    const { hubId } = await home!.identity();
    const there = String((await away!.identity())['hubId']);
    const attempts = async (): Promise<number> =>
      (await home!.service.container.get(TOKENS.peerReads).find(there))!.handshakeAttempts;
    const { port } = away!.proxy;
    away!.proxy.port = null;
    away!.proxy.cut();
    const rolled = await ok(home!.platform.post('/v1/admin/federation/hub-key/rotate', {}));
    try {
      await until(async () => (await attempts()) === 1);
    } finally {
      away!.proxy.port = port;
    }
    // The next one is plain, under a key that is not known there yet.
    await until(async () => (await attempts()) === 2);
    expect((await away!.peer(hubId))['publicKeyThumbprint']).not.toBe(
      rolled['publicKeyThumbprint'],
    );
    await until(
      async () =>
        (await away!.peer(hubId))['publicKeyThumbprint'] === rolled['publicKeyThumbprint'],
    );
  });

  it('is revoked for good, until it is registered anew', async () => {
    const { hubId } = await home!.identity();
    const path = `${PEERS}/${String(hubId)}`;
    const revoked = await ok(away!.platform.post(`${path}/revoke`, { reason: 'contract ended' }));
    expect(revoked['status']).toBe('REVOKED');
    let event: Body | undefined;
    await until(async () => {
      [event] = (await ok(away!.platform.get('/v1/events?type=peer.revoked')))['data'] as Body[];
      return event !== undefined;
    });
    expect(event!['data']).toMatchObject({ peerHubId: hubId, reason: 'contract ended' });
    expect((await away!.platform.post(`${path}/resume`, {})).status).toBe(422);
    expect((await away!.register(home!))['status']).toBe('REGISTERED');
    await ok(
      home!.platform.post(`${PEERS}/${String((await away!.identity())['hubId'])}/revoke`, {}),
    );
    await home!.register(away!);
    await until(async () => (await away!.peer(hubId))['status'] === 'ACTIVE');
  });
});

describe.each(databases())('handshakes of strangers, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let hub: TestHub;

  beforeAll(async () => {
    [hub] = (await openHubs(['hub'], own.env)) as [TestHub];
  });
  afterAll(async () => {
    await hub?.end();
    await own.drop();
  });

  it('wait for an operator, who approves exactly the key and root that were compared', async () => {
    const stranger = new Stranger();
    const answer = await stranger.greet(hub);
    expect(answer.status).toBe(200);
    const own = await hub.identity();
    expect(answer.body).toEqual({
      hubId: own['hubId'],
      status: 'PENDING',
      protocolVersion: '1.0',
    });
    const path = `${PEERS}/${stranger.hubId}`;
    const shown = await ok(hub.platform.get(path));
    expect(shown).toMatchObject({
      status: 'PENDING',
      publicKeyThumbprint: stranger.thumbprint,
      vaultRoot: stranger.vaultRoot,
    });
    const approve = (more: Body = {}) =>
      hub.platform.post(`${path}/approve`, {
        publicKeyThumbprint: stranger.thumbprint,
        vaultRoot: stranger.vaultRoot,
        ...more,
      });
    expect((await approve({ vaultRoot: '0'.repeat(64) })).status).toBe(422);
    expect((await approve({ publicKeyThumbprint: '0'.repeat(64) })).status).toBe(422);
    const approved = await ok(approve());
    expect(approved).toMatchObject({ status: 'ACTIVE', greetedAt: shown['createdAt'] });
    expect((await approve()).status).toBe(422);
    expect((await ok(hub.platform.get(`${PEERS}?status=PENDING`)))['data']).toEqual([]);
  });

  it('change nothing of a registered hub: another root, another key, or a succession that does not hold', async () => {
    const stranger = new Stranger();
    await stranger.greet(hub);
    const path = `${PEERS}/${stranger.hubId}`;
    await ok(
      hub.platform.post(`${path}/approve`, {
        publicKeyThumbprint: stranger.thumbprint,
        vaultRoot: stranger.vaultRoot,
      }),
    );
    const before = await ok(hub.platform.get(path));
    expect((await stranger.greet(hub, { vaultRoot: '1'.repeat(64) })).status).toBe(422);
    // Whoever only names the hubId is answered as any stranger is, and is not kept.
    const thief = new Stranger(stranger.hubId, stranger.vaultRoot);
    const answered = await ok(thief.greet(hub));
    expect(answered).toEqual({
      hubId: (await hub.identity())['hubId'],
      status: 'PENDING',
      protocolVersion: '1.0',
    });
    const { data: waiting } = await ok(hub.platform.get(`${PEERS}?status=PENDING`));
    expect((waiting as Body[]).map(({ publicKeyThumbprint }) => publicKeyThumbprint)).not.toContain(
      thief.thumbprint,
    );
    const next = new Stranger(stranger.hubId);
    const followed = (by: Stranger, old = stranger.thumbprint) =>
      sign(
        null,
        Buffer.from(`service.hub-key.v1\n${stranger.hubId}\n${old}\n${next.thumbprint}`),
        by.pair.privateKey,
      ).toString('base64');
    const rolled = (succession: string) =>
      stranger.greet(hub, { publicKeyJwk: next.jwk, succession });
    expect((await stranger.greet(hub, { publicKeyJwk: next.jwk })).status).toBe(422);
    expect((await rolled(followed(stranger))).status).toBe(422);
    expect((await rolled(followed(next, next.thumbprint))).status).toBe(422);
    expect(await ok(hub.platform.get(path))).toEqual(before);
    const done = await rolled(followed(next));
    expect(done.body['status']).toBe('ACTIVE');
    expect((await ok(hub.platform.get(path)))['publicKeyThumbprint']).toBe(next.thumbprint);
    // The former key is a stranger's now, and the new one says hello by itself where the answer was lost.
    expect((await stranger.greet(hub)).body['status']).toBe('PENDING');
    const plain = stranger.handshake(String((await hub.identity())['hubId']), {
      publicKeyJwk: next.jwk,
    });
    const again = await next.send(hub, '/federation/v1/peer', plain);
    expect(again.body['status']).toBe('ACTIVE');
  });

  it('seals the roll-over with the signature of the new key', async () => {
    const { TOKENS } = await import('../../config/tokens.ts');
    const { openEntry } = await import('../../domain/vault/open-entry.ts');
    const { Vault } = await import('../../application/sealing/vault.ts');
    const { container } = hub.service;
    const chains = container.get(TOKENS.chainReads);
    const entries = await chains.entries('00000000-0000-0000-0000-000000000000', 1, 200);
    const opened = await Promise.all(
      entries.map((entry) => openEntry(entry.coseSign1, container.get(Vault).keyOf)),
    );
    const changed = opened
      .map((entry) => entry?.predicate ?? {})
      .find((predicate) => predicate['entryType'] === 'PEER_KEY_CHANGED')!;
    expect(changed).toMatchObject({ state: 'ACTIVE', actor: { kind: 'peer' } });
    const { body } = await hub.platform.get(`${PEERS}/${String(changed['peerHubId'])}`);
    const key = createPublicKey({ key: body['publicKeyJwk'], format: 'jwk' });
    const input = `service.hub-key.v1\n${String(changed['peerHubId'])}\n${String(changed['previousThumbprint'])}\n${String(changed['publicKeyThumbprint'])}`;
    expect(
      verify(null, Buffer.from(input), key, Buffer.from(String(changed['succession']), 'base64')),
    ).toBe(true);
  });

  it('are three an address at most, and block nobody who is registered', async () => {
    const limited: number[] = [];
    for (let i = 0; i < 5; i++) limited.push((await new Stranger().greet(hub)).status);
    // Those under the id of a registered hub, which are above, are counted with them.
    expect(limited[0]).toBe(200);
    expect(limited.slice(3)).toEqual([429, 429]);
    const same = new Stranger();
    await ok(
      hub.platform.post(PEERS, {
        hubId: same.hubId,
        baseUrl: same.baseUrl,
        publicKeyJwk: same.jwk,
        vaultRoot: same.vaultRoot,
      }),
    );
    expect((await same.greet(hub)).body['status']).toBe('ACTIVE');
  });

  it('are for this hub and of this hub, in the one form', async () => {
    const stranger = new Stranger();
    const cases: readonly (readonly [Body, number])[] = [
      [{ toHubId: stranger.hubId }, 422],
      [{ hubId: new Stranger().hubId }, 422],
      [{ baseUrl: 'http://hub.example' }, 422],
      [{ protocolVersions: ['9.9'] }, 422],
      [{ protocolVersions: '1.0' }, 400],
      [{ vaultRoot: 'ABC' }, 400],
      [{ more: 1 }, 400],
      [{ publicKeyJwk: { kty: 'OKP', crv: 'X25519', x: stranger.jwk['x'] } }, 422],
      [{ publicKeyJwk: { ...stranger.jwk, d: randomBytes(32).toString('base64url') } }, 422],
    ];
    for (const [more, status] of cases)
      expect([more, (await stranger.greet(hub, more)).status]).toEqual([more, status]);
  });
});
