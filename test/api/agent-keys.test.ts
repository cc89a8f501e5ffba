import { calculateJwkThumbprint } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  deactivate,
  ed25519Pair,
  p256Pair,
  possession,
  proofOf,
  publishedBy,
  twin,
  x25519Jwk,
  type KeyPair,
} from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import {
  expectIndistinguishable,
  expectProblem,
  NOBODY,
  TIMESTAMP,
} from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  mintKey,
  ok,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let globex: World;
beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex keys');
});
/** An agent of its own for a test, and a client that may write it. */
const writer = async (name = 'signer'): Promise<{ id: string; client: Client }> => {
  const { id } = await addAgent(api.world.admin, api.world.orgId, name);
  return { id, client: (await mintKey(api.world.admin, id, { scopes: ['agents:write'] })).client };
};
const add = (
  client: Client,
  id: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer<Body>> => client.post(`/v1/agents/${id}/signing-keys`, body, headers);
const addPair = (
  client: Client,
  id: string,
  pair: KeyPair,
  extra: Body = {},
): Promise<Answer<Body>> =>
  add(client, id, { publicKeyJwk: pair.jwk, proofOfPossession: proofOf(pair, id), ...extra });
const revoke = (client: Client, id: string, thumbprint: string): Promise<Answer<Body>> =>
  client.call('DELETE', `/v1/agents/${id}/signing-keys/${thumbprint}`);
const setKey = (
  client: Client,
  id: string,
  publicKeyJwk: unknown,
  extra: Body = {},
): Promise<Answer<Body>> =>
  client.call('PUT', `/v1/agents/${id}/encryption-key`, { publicKeyJwk, ...extra });
const read = (id: string, client: Client = api.world.admin): Promise<Body> =>
  ok(client.get(`/v1/agents/${id}`));
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const X25519_SMALL = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
];

describe('POST /v1/agents/{agentId}/signing-keys', () => {
  it.each<[string, () => KeyPair, string]>([
    ['Ed25519', ed25519Pair, 'Ed25519'],
    ['P-256', p256Pair, 'ES256'],
  ])(
    '201: an %s key, as a JWK or as a COSE_Key, under its RFC 9679 thumbprint',
    async (crv, makePair, algorithm) => {
      const agent = await writer();
      const [first, second] = [makePair(), makePair()];
      const { status, body } = await addPair(agent.client, agent.id, first, {
        issuers: ['https://a.example', 'urn:b', 'https://a.example'],
      });
      expect(status).toBe(201);
      const { kty, x, y } = first.jwk;
      expect(body).toMatchObject({
        agentId: agent.id,
        thumbprint: first.thumbprint,
        algorithm,
        publicKeyJwk: JSON.parse(JSON.stringify({ kty, crv, x, y })) as Body,
        coseKey: first.coseKey,
        issuers: ['https://a.example', 'urn:b'],
        addedAt: expect.stringMatching(TIMESTAMP),
        revokedAt: null,
      });
      expect(body['nextSteps']).toMatchObject([
        { action: 'view' },
        {
          action: 'revoke',
          method: 'DELETE',
          href: `/v1/agents/${agent.id}/signing-keys/${first.thumbprint}`,
        },
      ]);
      expect(
        await ok(
          add(agent.client, agent.id, {
            coseKey: second.coseKey,
            proofOfPossession: proofOf(second, agent.id),
          }),
        ),
      ).toMatchObject({ thumbprint: second.thumbprint, issuers: [] });
      const { suggestion, nextSteps, agentId, ...row } = body;
      expect((await read(agent.id))['signingKeys']).toEqual([
        row,
        expect.objectContaining({ thumbprint: second.thumbprint, coseKey: second.coseKey }),
      ]);
      expect([suggestion, nextSteps, agentId]).not.toContain(undefined);
    },
  );

  it('what a library exports beside the key is taken and not kept', async () => {
    const agent = await writer();
    const pair = ed25519Pair();
    const body = await ok(
      addPair(agent.client, agent.id, {
        ...pair,
        jwk: {
          ...pair.jwk,
          kid: 'mine',
          use: 'sig',
          alg: 'EdDSA',
          key_ops: ['verify'],
          ext: true,
          note: 'x',
        },
      }),
    );
    expect(body['publicKeyJwk']).toEqual({ kty: 'OKP', crv: 'Ed25519', x: pair.jwk['x'] });
  });

  it('any reader of agents sees the keys, of another org as well', async () => {
    const agent = await writer();
    const pair = ed25519Pair();
    await ok(addPair(agent.client, agent.id, pair));
    expect((await read(agent.id, globex.principal.client))['signingKeys']).toMatchObject([
      { thumbprint: pair.thumbprint, coseKey: pair.coseKey, revokedAt: null },
    ]);
    const [row] = (
      (await ok(api.world.admin.get(`/v1/admin/agents?limit=200`)))['data'] as Body[]
    ).filter(({ id }) => id === agent.id);
    expect(row!['signingKeys']).toMatchObject([{ thumbprint: pair.thumbprint }]);
  });

  it('seals the key with its proof on the platform chain, and tells the thumbprint', async () => {
    const agent = await writer();
    const pair = p256Pair();
    const { addedAt } = await ok(addPair(agent.client, agent.id, pair, { issuers: ['urn:a'] }));
    const { entries, events } = publishedBy(
      api,
      agent.id,
      'SIGNING_KEY_ADDED',
      'agent.signing_key_added',
    );
    expect(entries).toMatchObject([
      {
        at: addedAt,
        orgId: api.world.orgId,
        actor: { kind: 'agent', agentId: agent.id },
        agentId: agent.id,
        thumbprint: pair.thumbprint,
        algorithm: 'ES256',
        coseKey: pair.coseKey,
        issuers: ['urn:a'],
        proofOfPossession: expect.any(String),
      },
    ]);
    expect(events).toEqual([
      {
        agentId: agent.id,
        thumbprint: pair.thumbprint,
        actor: { kind: 'agent', agentId: agent.id },
        requestId: expect.any(String),
      },
    ]);
  });

  it('422: a proof by another key, for another agent, over another thumbprint, or of another form; nothing is registered', async () => {
    for (const pair of [ed25519Pair(), p256Pair()]) {
      const agent = await writer();
      const right = Buffer.from(proofOf(pair, agent.id), 'base64');
      const wrong: readonly (readonly [string, string])[] = [
        ['another key', proofOf({ ...ed25519Pair(), thumbprint: pair.thumbprint }, agent.id)],
        ['another agent', proofOf(pair, api.world.principal.id)],
        [
          'another thumbprint',
          pair.sign(possession(agent.id, ed25519Pair().thumbprint)).toString('base64'),
        ],
        [
          'the RFC 7638 thumbprint',
          pair
            .sign(possession(agent.id, await calculateJwkThumbprint(pair.jwk)))
            .toString('base64'),
        ],
        ['no prefix', pair.sign(`${agent.id}\n${pair.thumbprint}`).toString('base64')],
        ['cut', right.subarray(1).toString('base64')],
        [
          'one bit',
          Buffer.from(right.map((byte, index) => (index === 40 ? byte ^ 1 : byte))).toString(
            'base64',
          ),
        ],
        ['base64url', `${right.toString('base64url').slice(0, -1)}_`],
        ['empty', ''],
      ];
      for (const [name, proofOfPossession] of wrong) {
        const problem = expectProblem(
          await add(agent.client, agent.id, { publicKeyJwk: pair.jwk, proofOfPossession }),
          422,
          'VALIDATION_ERROR',
          {
            errors: [
              { path: '/proofOfPossession', keyword: 'signature', message: expect.any(String) },
            ],
          },
        );
        expect(problem['detail']).toContain(
          `by this key, whose thumbprint is ${pair.thumbprint}, for the agent ${agent.id}`,
        );
        expect({ name, suggestion: problem['suggestion'] }).toMatchObject({
          suggestion: expect.stringContaining(
            JSON.stringify(possession(agent.id, pair.thumbprint)),
          ),
        });
      }
      expect((await read(agent.id))['signingKeys']).toEqual([]);
      expect(
        (
          await add(agent.client, agent.id, {
            publicKeyJwk: pair.jwk,
            // Ordinary clients make signatures with either s.
            proofOfPossession: (pair.jwk['kty'] === 'EC' ? twin(right) : right).toString('base64'),
          })
        ).status,
      ).toBe(201);
    }
  });

  it('422: a private key, loudly, without an echo of it', async () => {
    const agent = await writer();
    const pair = ed25519Pair();
    const d = base64url(Buffer.alloc(32, 7));
    const cose = Buffer.from(pair.coseKey, 'base64');
    const withD = Buffer.concat([
      Buffer.from([cose[0]! + 1]),
      cose.subarray(1),
      Buffer.from('235820', 'hex'),
      Buffer.alloc(32, 7),
    ]).toString('base64');
    for (const body of [
      { publicKeyJwk: { ...pair.jwk, d } },
      { publicKeyJwk: { d } },
      { publicKeyJwk: { kty: 'oct', k: d } },
      { coseKey: withD },
    ]) {
      const problem = expectProblem(
        await add(agent.client, agent.id, { ...body, proofOfPossession: proofOf(pair, agent.id) }),
        422,
        'VALIDATION_ERROR',
      );
      expect(problem['detail']).toContain('private key');
      expect(problem['suggestion']).toContain('disclosed');
      expect(JSON.stringify(problem)).not.toContain(d);
    }
    expectProblem(
      await setKey(agent.client, agent.id, { ...x25519Jwk(), d }),
      422,
      'VALIDATION_ERROR',
      { errors: [{ path: '/publicKeyJwk/d', keyword: 'not', message: expect.any(String) }] },
    );
  });

  const ED_IDENTITY = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: base64url(Buffer.from(`01${'00'.repeat(31)}`, 'hex')),
  };
  it.each<[string, (pair: { ed: Body; p: Body }) => unknown, string, Body?]>([
    ['an Ed25519 point of small order', () => ED_IDENTITY, '/publicKeyJwk'],
    [
      'an Ed25519 point of order 8',
      () => ({
        ...ED_IDENTITY,
        x: base64url(
          Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
        ),
      }),
      '/publicKeyJwk',
    ],
    [
      'an Ed25519 y beyond the prime',
      () => ({ ...ED_IDENTITY, x: base64url(Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex')) }),
      '/publicKeyJwk',
    ],
    ['a P-256 point off the curve', ({ p }) => ({ ...p, y: p['x'] as unknown }), '/publicKeyJwk'],
    [
      'P-256 coordinates beyond the prime',
      ({ p }) => ({ ...p, x: base64url(Buffer.alloc(32, 0xff)) }),
      '/publicKeyJwk',
    ],
    ['P-256 without y', ({ p: { y: _y, ...p } }) => p, '/publicKeyJwk/y'],
    ['a short x', ({ ed }) => ({ ...ed, x: 'AAAA' }), '/publicKeyJwk/x'],
    ['a huge x', ({ ed }) => ({ ...ed, x: 'A'.repeat(100_000) }), '/publicKeyJwk/x'],
    ['a padded x', ({ ed }) => ({ ...ed, x: `${String(ed['x'])}=` }), '/publicKeyJwk/x'],
    ['an x that is no text', ({ ed }) => ({ ...ed, x: { toString: 1 } }), '/publicKeyJwk/x'],
    ['x with bits left over', ({ ed }) => ({ ...ed, x: `${'A'.repeat(42)}B` }), '/publicKeyJwk/x'],
    [
      'X25519, which signs nothing',
      () => x25519Jwk(),
      '/publicKeyJwk/crv',
      { allowedValues: ['Ed25519', 'P-256'] },
    ],
    [
      'another curve',
      ({ p }) => ({ ...p, crv: 'secp256k1' }),
      '/publicKeyJwk/crv',
      { allowedValues: ['Ed25519', 'P-256'] },
    ],
    [
      'RSA',
      () => ({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }),
      '/publicKeyJwk/crv',
      { allowedValues: ['Ed25519', 'P-256'] },
    ],
    [
      'a kty of another curve',
      ({ ed }) => ({ ...ed, kty: 'EC' }),
      '/publicKeyJwk/kty',
      { allowedValues: ['OKP'] },
    ],
    [
      'a key for encryption',
      ({ p }) => ({ ...p, use: 'enc' }),
      '/publicKeyJwk/use',
      { allowedValues: ['sig'] },
    ],
    [
      'a key for ECDH',
      ({ p }) => ({ ...p, alg: 'ECDH-ES' }),
      '/publicKeyJwk/alg',
      { allowedValues: ['ES256'] },
    ],
    ['an alg that is no text', ({ p }) => ({ ...p, alg: { toString: 1 } }), '/publicKeyJwk/alg'],
    [
      'members of the prototype',
      () => ({ crv: '__proto__', kty: 'constructor' }),
      '/publicKeyJwk/crv',
    ],
  ])('422: %s', async (_case, make, path, members = {}) => {
    const agent = await writer();
    const publicKeyJwk = make({ ed: ed25519Pair().jwk, p: p256Pair().jwk });
    expectProblem(
      await add(agent.client, agent.id, {
        publicKeyJwk,
        proofOfPossession: Buffer.alloc(64).toString('base64'),
      }),
      422,
      'VALIDATION_ERROR',
      { errors: [{ path, keyword: expect.any(String), message: expect.any(String) }], ...members },
    );
  });

  it.each<[string, (cose: Buffer) => Buffer | string]>([
    ['no base64', () => '%%%'],
    // Of a quarter of all keys the two encodings are the same text.
    ['base64url', (cose) => `${cose.toString('base64url').slice(0, -1)}_`],
    ['no CBOR', () => Buffer.from('ff', 'hex')],
    ['no map', () => Buffer.from('80', 'hex')],
    ['bytes after it', (cose) => Buffer.concat([cose, Buffer.of(0)])],
    [
      'another order of labels',
      (cose) =>
        Buffer.concat([
          cose.subarray(0, 1),
          cose.subarray(3, 5),
          cose.subarray(1, 3),
          cose.subarray(5),
        ]),
    ],
    ['a symmetric key', () => Buffer.from('a201042041ff', 'hex')],
    [
      'the alg of another curve',
      (cose) => Buffer.concat([cose.subarray(0, 4), Buffer.of(0x26), cose.subarray(5)]),
    ],
    ['a short x', () => Buffer.from('a3010120062141ff', 'hex')],
    [
      'a compressed P-256 point',
      () => Buffer.from(`a401022001215820${'11'.repeat(32)}22f5`, 'hex'),
    ],
    ['a point of small order', () => Buffer.from(`a301012006215820${'00'.repeat(32)}`, 'hex')],
    ['deep nesting', () => Buffer.concat([Buffer.alloc(2_000, 0x81), Buffer.of(0)])],
  ])('422: a COSE_Key that is %s', async (_case, make) => {
    const agent = await writer();
    const made = make(Buffer.from(ed25519Pair().coseKey, 'base64'));
    const coseKey = typeof made === 'string' ? made : made.toString('base64');
    expectProblem(
      await add(agent.client, agent.id, {
        coseKey,
        proofOfPossession: Buffer.alloc(64).toString('base64'),
      }),
      422,
      'VALIDATION_ERROR',
      { errors: [{ path: '/coseKey', keyword: expect.any(String), message: expect.any(String) }] },
    );
  });

  it('400: no key, two keys, no proof, a member too many, issuers of another form', async () => {
    const { client, id } = await writer();
    const pair = ed25519Pair();
    const whole = { publicKeyJwk: pair.jwk, proofOfPossession: proofOf(pair, id) };
    for (const body of [
      { proofOfPossession: whole.proofOfPossession },
      { ...whole, coseKey: pair.coseKey },
      { publicKeyJwk: pair.jwk },
      { ...whole, note: 'x' },
      { ...whole, publicKeyJwk: JSON.stringify(pair.jwk) },
      { ...whole, publicKeyJwk: null },
      { ...whole, issuers: 'urn:a' },
      { ...whole, issuers: [''] },
      { ...whole, issuers: Array.from({ length: 33 }, (_, i) => `urn:${i}`) },
      { ...whole, proofOfPossession: 'A'.repeat(513) },
    ]) {
      expectProblem(await add(client, id, body), 400, 'VALIDATION_ERROR');
    }
  });

  it('409: a key that is registered, by its own agent or by another, in any form, with words that tell nobody whose it is', async () => {
    const [agent, other] = [await writer(), await writer('other')];
    const pair = p256Pair();
    await ok(addPair(agent.client, agent.id, pair));
    const answers = [
      await addPair(agent.client, agent.id, pair),
      await addPair(other.client, other.id, pair),
      await addPair(globex.admin, globex.performer.id, pair),
      await add(other.client, other.id, {
        coseKey: pair.coseKey,
        proofOfPossession: proofOf(pair, other.id),
      }),
      await setKey(other.client, other.id, pair.jwk),
    ];
    for (const answer of answers)
      expect(JSON.stringify(expectProblem(answer, 409, 'CONFLICT')['detail'])).not.toContain(
        agent.id,
      );
    expect(new Set(answers.map(({ body }) => body['detail'] as string)).size).toBe(1);
    expect((await read(other.id))['signingKeys']).toEqual([]);
  });

  it('of many that register one key at once, one does', async () => {
    const agents = await Promise.all(
      Array.from({ length: 6 }, (_, index) => writer(`racer ${index}`)),
    );
    const pair = ed25519Pair();
    const answers = await Promise.all(agents.map(({ client, id }) => addPair(client, id, pair)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('an Idempotency-Key registers once', async () => {
    const agent = await writer();
    const pair = ed25519Pair();
    const body = { publicKeyJwk: pair.jwk, proofOfPossession: proofOf(pair, agent.id) };
    const [first, again] = [
      await add(agent.client, agent.id, body, { 'idempotency-key': 'once' }),
      await add(agent.client, agent.id, body, { 'idempotency-key': 'once' }),
    ];
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
  });

  it('422 beyond 100 keys, revoked ones included', async () => {
    const agent = await writer();
    for (let index = 0; index < 100; index++)
      await ok(addPair(agent.client, agent.id, ed25519Pair()));
    await ok(
      revoke(agent.client, agent.id, String((await read(agent.id))['signingKeys'][0].thumbprint)),
    );
    expect(
      expectProblem(await addPair(agent.client, agent.id, ed25519Pair()), 422, 'VALIDATION_ERROR')[
        'detail'
      ],
    ).toContain('at most 100');
  });
});

describe('DELETE /v1/agents/{agentId}/signing-keys/{thumbprint}', () => {
  it('200: the key stays readable with the time of its end, sealed and told; again changes nothing', async () => {
    const agent = await writer();
    const [pair, kept] = [ed25519Pair(), ed25519Pair()];
    await ok(addPair(agent.client, agent.id, pair, { issuers: ['urn:a'] }));
    await ok(addPair(agent.client, agent.id, kept));
    const { status, body } = await revoke(agent.client, agent.id, pair.thumbprint);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      thumbprint: pair.thumbprint,
      deleted: true,
      agentId: agent.id,
      revokedAt: expect.stringMatching(TIMESTAMP),
      nextSteps: [{ action: 'register', method: 'POST' }, { action: 'view' }],
    });
    expect(await ok(revoke(api.world.admin, agent.id, pair.thumbprint))).toMatchObject({
      revokedAt: body['revokedAt'],
    });
    expect((await read(agent.id, globex.admin))['signingKeys']).toMatchObject([
      { thumbprint: pair.thumbprint, issuers: ['urn:a'], revokedAt: body['revokedAt'] },
      { thumbprint: kept.thumbprint, revokedAt: null },
    ]);
    const { entries, events } = publishedBy(
      api,
      agent.id,
      'SIGNING_KEY_REVOKED',
      'agent.signing_key_revoked',
    );
    expect(entries).toMatchObject([{ at: body['revokedAt'], thumbprint: pair.thumbprint }]);
    expect(events).toMatchObject([
      { agentId: agent.id, thumbprint: pair.thumbprint, actor: { kind: 'agent' } },
    ]);
    expectProblem(await addPair(agent.client, agent.id, pair), 409, 'CONFLICT');
  });

  it('404: a key that is not there, one of another agent, an encryption key; 400: no thumbprint', async () => {
    const [agent, other] = [await writer(), await writer('other')];
    const pair = p256Pair();
    await ok(setKey(agent.client, agent.id, pair.jwk));
    const theirs = ed25519Pair();
    await ok(addPair(other.client, other.id, theirs));
    for (const thumbprint of ['0'.repeat(64), pair.thumbprint, theirs.thumbprint])
      expectProblem(await revoke(api.world.admin, agent.id, thumbprint), 404, 'NOT_FOUND');
    for (const thumbprint of ['x', theirs.thumbprint.toUpperCase(), theirs.thumbprint.slice(0, 32)])
      expectProblem(await revoke(api.world.admin, agent.id, thumbprint), 400, 'VALIDATION_ERROR');
    expect((await read(other.id))['signingKeys']).toMatchObject([{ revokedAt: null }]);
  });
});

describe('PUT /v1/agents/{agentId}/encryption-key', () => {
  it.each<[string, () => Body]>([
    ['X25519', x25519Jwk],
    ['P-256', () => p256Pair().jwk],
  ])(
    '200: an %s key, shown to every reader of agents with its RFC 7638 thumbprint as kid',
    async (crv, make) => {
      const agent = await writer();
      const jwk = make();
      const { status, body } = await setKey(agent.client, agent.id, {
        ...jwk,
        use: 'enc',
        alg: 'ECDH-ES+A256KW',
        key_ops: [],
        ext: true,
      });
      const thumbprint = await calculateJwkThumbprint(jwk);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        agentId: agent.id,
        thumbprint,
        encryptionKeyJwk: { ...jwk, crv, kid: thumbprint, use: 'enc' },
        setAt: expect.stringMatching(TIMESTAMP),
        nextSteps: [{ action: 'view' }],
      });
      for (const client of [api.world.admin, globex.principal.client])
        expect((await read(agent.id, client))['encryptionKeyJwk']).toEqual({
          ...jwk,
          kid: thumbprint,
          use: 'enc',
        });
    },
  );

  it('another key takes its place; the same again writes nothing; one that was replaced does not come back', async () => {
    const agent = await writer();
    const [first, second] = [x25519Jwk(), x25519Jwk()];
    const { setAt } = await ok(setKey(agent.client, agent.id, first));
    expect(await ok(setKey(api.world.admin, agent.id, first))).toMatchObject({ setAt });
    await ok(setKey(agent.client, agent.id, second));
    expect((await read(agent.id))['encryptionKeyJwk']).toMatchObject(second);
    expectProblem(await setKey(agent.client, agent.id, first), 409, 'CONFLICT');
    const [before, after] = [
      await calculateJwkThumbprint(first),
      await calculateJwkThumbprint(second),
    ];
    const { entries, events } = publishedBy(
      api,
      agent.id,
      'ENCRYPTION_KEY_SET',
      'agent.encryption_key_changed',
    );
    expect(entries).toMatchObject([
      { at: setAt, thumbprint: before, replacedThumbprint: null, publicKeyJwk: first },
      { thumbprint: after, replacedThumbprint: before, publicKeyJwk: second },
    ]);
    expect(events).toEqual([
      expect.objectContaining({ thumbprint: before }),
      {
        agentId: agent.id,
        thumbprint: after,
        replacedThumbprint: before,
        actor: { kind: 'agent', agentId: agent.id },
        requestId: expect.any(String),
      },
    ]);
  });

  it('a P-256 key may come with a proof, which then has to hold; X25519 has none', async () => {
    const agent = await writer();
    const pair = p256Pair();
    const text = possession(agent.id, await calculateJwkThumbprint(pair.jwk));
    expectProblem(
      await setKey(agent.client, agent.id, pair.jwk, {
        proofOfPossession: p256Pair().sign(text).toString('base64'),
      }),
      422,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await setKey(agent.client, agent.id, x25519Jwk(), {
        proofOfPossession: Buffer.alloc(64).toString('base64'),
      }),
      422,
      'VALIDATION_ERROR',
    );
    await ok(
      setKey(agent.client, agent.id, pair.jwk, {
        proofOfPossession: twin(pair.sign(text)).toString('base64'),
      }),
    );
    expect(
      publishedBy(api, agent.id, 'ENCRYPTION_KEY_SET', 'agent.encryption_key_changed').entries,
    ).toMatchObject([{ proofOfPossession: expect.any(String) }]);
  });

  it('422: X25519 points of small order, and a second spelling of a point', async () => {
    const agent = await writer();
    const spelled = Buffer.from('09'.padEnd(64, '0'), 'hex');
    spelled[31] = 0x80;
    const beyond = [
      `ed${'ff'.repeat(30)}7f`,
      `f0${'ff'.repeat(30)}7f`,
      'ff'.repeat(32),
      spelled.toString('hex'),
    ];
    for (const hex of [...X25519_SMALL, ...beyond])
      expectProblem(
        await setKey(agent.client, agent.id, {
          kty: 'OKP',
          crv: 'X25519',
          x: base64url(Buffer.from(hex, 'hex')),
        }),
        422,
        'VALIDATION_ERROR',
        { errors: [{ path: '/publicKeyJwk', keyword: 'point', message: expect.any(String) }] },
      );
    expect((await read(agent.id))['encryptionKeyJwk']).toBeNull();
    expectProblem(
      await setKey(agent.client, agent.id, ed25519Pair().jwk),
      422,
      'VALIDATION_ERROR',
      { allowedValues: ['X25519', 'P-256'] },
    );
    expectProblem(
      await setKey(agent.client, agent.id, { ...p256Pair().jwk, use: 'sig' }),
      422,
      'VALIDATION_ERROR',
      { allowedValues: ['enc'] },
    );
  });

  it('400: no key, a key that is no object, a member too many', async () => {
    for (const body of [
      {},
      { publicKeyJwk: 'x' },
      { publicKeyJwk: [] },
      { publicKeyJwk: x25519Jwk(), note: 1 },
      { publicKeyJwk: null },
    ])
      expectProblem(
        await api.world.admin.call(
          'PUT',
          `/v1/agents/${api.world.performer.id}/encryption-key`,
          body,
        ),
        400,
        'VALIDATION_ERROR',
      );
  });
});

describe('whose keys a credential may write', () => {
  const acts: readonly (readonly [
    string,
    (client: Client, id: string) => Promise<Answer<Body>>,
  ])[] = [
    ['set an encryption key', (client, id) => setKey(client, id, x25519Jwk())],
    ['add a signing key', (client, id) => addPair(client, id, ed25519Pair())],
    ['revoke a signing key', (client, id) => revoke(client, id, '0'.repeat(64))],
  ];

  it.each(acts)(
    '%s: 403 on another agent of the org, 404 across orgs, as for nobody; 403 without agents:write',
    async (_act, act) => {
      const { world } = api;
      const { client } = await writer();
      expectProblem(await act(client, world.principal.id), 403, 'FORBIDDEN', {
        allowedActors: ['admin', 'platform'],
      });
      expectProblem(
        await act(world.performer.client, world.performer.id),
        403,
        'INSUFFICIENT_SCOPE',
        { missingScopes: ['agents:write'] },
      );
      for (const stranger of [
        globex.admin,
        (await mintKey(globex.admin, globex.principal.id, { scopes: ['agents:write'] })).client,
      ])
        expectIndistinguishable(
          await act(stranger, world.performer.id),
          await act(stranger, NOBODY),
          [world.performer.id, NOBODY],
        );
    },
  );

  it('the admin of the org and the platform write those of any agent of theirs', async () => {
    const { id } = await writer();
    for (const client of [api.world.admin, api.world.platform]) {
      const pair = ed25519Pair();
      await ok(addPair(client, id, pair));
      await ok(setKey(client, id, x25519Jwk()));
      await ok(revoke(client, id, pair.thumbprint));
    }
  });

  it('422: a deactivated agent takes no new key, and the time is named; a key of it can still be revoked', async () => {
    const { id } = await writer();
    const pair = ed25519Pair();
    await ok(addPair(api.world.admin, id, pair));
    const at = await deactivate(api, id);
    for (const answer of [
      await addPair(api.world.admin, id, ed25519Pair()),
      await setKey(api.world.admin, id, x25519Jwk()),
    ])
      expect(expectProblem(answer, 422, 'VALIDATION_ERROR')['detail']).toContain(at);
    await ok(revoke(api.world.admin, id, pair.thumbprint));
  });
});
