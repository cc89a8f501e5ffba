import { beforeAll, describe, expect, it } from 'vitest';
import { Stranger } from '../../support/hubs/stranger.ts';
import { useApi } from '../../support/service/api.ts';
import { ok, openJob, type Answer, type Body } from '../../support/service/world.ts';

/** By default no private address may be given. */
const api = useApi();
const GOOD = ['https://receiver.example', 'https://receiver.example:8443'] as const;
const BAD = [
  'https://receiver.example:0',
  'https://receiver.example:80',
  'https://user@receiver.example',
  'https://localhost',
  'https://localhost.',
  'https://LOCALHOST',
  'https://foo.localhost',
  'https://foo.localhost.',
  'https://localhost:8443',
  'https://127.0.0.1',
  'https://127.0.0.1.',
  'https://127.1',
  'https://0x7f000001',
  'https://2130706433',
  'https://0177.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://10.0.0.1',
  'https://169.254.169.254',
] as const;

interface Door {
  readonly name: string;
  /** The origin with the path that this kind of URL has. */
  readonly send: (origin: string) => Promise<Answer<Body>>;
}

let webhook: unknown;
let issuer: unknown;
let peer: Stranger;
let task: unknown;
let count = 0;

const DOORS: readonly Door[] = [
  {
    name: 'the issuerUrl of a new issuer',
    send: (origin) => createIssuer({ issuerUrl: `${origin}/` }),
  },
  {
    name: 'the jwksUri of a new issuer',
    send: (origin) =>
      createIssuer({ issuerUrl: 'https://login.example', jwksUri: `${origin}/jwks` }),
  },
  {
    name: 'the jwksUri of an issuer',
    send: (origin) =>
      api.world.platform.patch(`/v1/admin/trusted-issuers/${String(issuer)}`, {
        jwksUri: `${origin}/jwks`,
      }),
  },
  { name: 'the url of a new webhook', send: (origin) => createWebhook(`${origin}/hook`) },
  {
    name: 'the url of a webhook',
    send: (origin) =>
      api.world.admin.patch(`/v1/webhooks/${String(webhook)}`, { url: `${origin}/hook` }),
  },
  {
    name: 'the baseUrl of a new peer',
    send: (origin) => registerPeer(new Stranger(undefined, undefined, origin)),
  },
  {
    name: 'the baseUrl of a peer',
    send: (origin) =>
      api.world.platform.patch(`/v1/admin/federation/peers/${peer.hubId}`, { baseUrl: origin }),
  },
  { name: 'the url of a push configuration', send: (origin) => pushTo(`${origin}/push`) },
];

const createIssuer = (body: Body): Promise<Answer<Body>> =>
  api.world.platform.post('/v1/admin/trusted-issuers', {
    orgId: api.world.orgId,
    expectedAudience: `aud-${count++}`,
    ...body,
  });

const createWebhook = (url: string): Promise<Answer<Body>> =>
  api.world.admin.post('/v1/webhooks', { url, eventTypes: ['record.fulfilled'] });

const registerPeer = (stranger: Stranger): Promise<Answer<Body>> =>
  api.world.platform.post('/v1/admin/federation/peers', stranger.registration);

const pushTo = (url: string): Promise<Answer<Body>> =>
  api.world.principal.client.post(
    '/a2a',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'CreateTaskPushNotificationConfig',
      params: { taskId: task, url },
    },
    { 'a2a-version': '1.0' },
  );

const REFUSAL = /must be an https (?:URL|origin)|leads to an address that is not public/;

describe.each(DOORS)('$name', ({ send }) => {
  beforeAll(async () => {
    webhook ??= (await ok(createWebhook('https://receiver.example/hook')))['id'];
    issuer ??= (await ok(createIssuer({ issuerUrl: 'https://login.example' })))['id'];
    task ??= (await openJob(api.world)).id;
    if (peer) return;
    peer = new Stranger(undefined, undefined, 'https://hub.example');
    await ok(registerPeer(peer));
  });

  it.each(GOOD)('may be on %s', async (origin) => {
    const { status, body } = await send(origin);
    expect([status < 300, body['error']]).toEqual([true, undefined]);
  });

  it.each(BAD)('is refused on %s', async (origin) => {
    const { status, body } = await send(origin);
    // JSON-RPC answers with 200, and the error in the body.
    expect([200, 422]).toContain(status);
    expect(body['error']).toBeDefined();
    expect(JSON.stringify(body)).toMatch(REFUSAL);
  });
});
