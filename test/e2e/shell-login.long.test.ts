import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDeviceProvider, type DeviceProvider } from '../support/peers/device-provider.ts';
import { AUDIENCE, OIDC_ENV, startOidc, TEST_CA_FILE, type Oidc } from '../support/peers/oidc.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { ShellHome, type ShellRun } from '../support/service/shell-home.ts';
import { createWorld, ok, type World } from '../support/service/world.ts';

/** `notary login` against real identity providers. */
const service = new ServiceProcess(OIDC_ENV);
const home = new ShellHome({ NODE_EXTRA_CA_CERTS: TEST_CA_FILE });
const made: { world?: World; device?: DeviceProvider; oidc?: Oidc; plain?: DeviceProvider } = {};
const world = (): World => made.world!;
const SCOPE = 'records:write records:read audit:read';

beforeAll(async () => {
  const first = await service.bootstrap();
  await service.start();
  made.world = await createWorld(service.url, first.apiKey);
  made.device = await startDeviceProvider(() => world().principal.id);
  made.plain = await startDeviceProvider(() => world().principal.id, false);
  made.oidc = await startOidc();
  for (const { issuer } of [made.device, made.oidc])
    await ok(
      world().platform.post('/v1/admin/trusted-issuers', {
        orgId: world().orgId,
        issuerUrl: issuer,
        expectedAudience: AUDIENCE,
      }),
    );
});
afterAll(async () => {
  for (const one of [made.device, made.oidc, made.plain]) await one?.close();
  await service.stop();
  home.end();
});

/** Runs a login, and does with the address that it shows what a person does. */
const login = async (
  args: readonly string[],
  person: (uri: string) => Promise<void>,
): Promise<ShellRun> => {
  const child = home.spawn(['login', ...args]);
  let [stdout, stderr] = ['', ''];
  const visits: Promise<void>[] = [];
  child.stdout!.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr!.on('data', (part: Buffer) => {
    stderr += part.toString();
    const uri = /^ {2}(https:\S+)\n/m.exec(stderr)?.[1];
    if (uri && visits.length === 0) visits.push(person(uri));
  });
  child.stdin!.end();
  const [code] = (await once(child, 'close')) as [number | null];
  await Promise.all(visits);
  return { code, stdout, stderr };
};

const device = (): readonly string[] => [
  '--url',
  service.url,
  '--issuer',
  made.device!.issuer,
  '--client-id',
  made.device!.clientId,
  '--scope',
  `openid ${SCOPE}`,
  '--resource',
  AUDIENCE,
];

describe('notary login', () => {
  it('runs the device flow, and co-signs what follows, which verifies', async () => {
    const { code, stdout, stderr } = await login(device(), (uri) => made.device!.approve(uri));
    expect([code, stderr]).toEqual([0, expect.stringContaining('confirm the code')]);
    expect(stdout).toContain(`certificate of the agent ${world().principal.id}`);
    const me = await home.json(['whoami']);
    expect(me).toMatchObject({ context: 'login', authType: 'ephemeral_cert' });

    const { id } = await home.json(['notarize', '-t', 'note', '-'], { input: '{"n":1}' });
    const story = await home.run(['show', String(id)]);
    expect([story.code, story.stdout]).toEqual([
      0,
      expect.stringContaining('co-signed: the actor'),
    ]);
    const report = await home.json(['verify', String(id)]);
    expect(report).toMatchObject({ verdict: 'valid' });
  });

  it('again needs no options', async () => {
    const before = home.profile['contexts'].login.credential.certificate;
    const { code, stderr } = await login([], (uri) => made.device!.approve(uri));
    expect([code, stderr]).toEqual([0, expect.stringContaining('confirm the code')]);
    expect(home.profile['contexts'].login.credential.certificate).not.toBe(before);
  });

  it('ends in a sentence where the person refuses', async () => {
    const { code, stderr } = await login(device(), (uri) => made.device!.refuse(uri));
    expect([code, stderr]).toEqual([3, expect.stringContaining('access_denied')]);
  });

  it('says what to do where the provider has no device flow', async () => {
    const { code, stderr } = await home.run([
      'login',
      '--url',
      service.url,
      '--issuer',
      made.plain!.issuer,
      '--client-id',
      made.plain!.clientId,
    ]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/no device flow.*NOTARY_OIDC_TOKEN/)]);
  });

  it('takes a token of the environment, or of standard input', async () => {
    const token = (): Promise<string> =>
      made.oidc!.forge({ agent_id: world().performer.id, scope: SCOPE });
    const env = { NOTARY_OIDC_TOKEN: await token() };
    const typed = ['login', '--url', service.url, '--context', 'ci'];
    expect((await home.json(typed, { env }))['agentId']).toBe(world().performer.id);
    const fed = await home.json([...typed, '--token-stdin'], { input: `${await token()}\n` });
    expect(fed['context']).toBe('ci');
    expect((await home.json(['whoami', '--context', 'ci']))['ownerId']).toBe(world().performer.id);
  });

  it('ends with the reason of the service where that does not trust the token', async () => {
    const env = {
      NOTARY_OIDC_TOKEN: await made.oidc!.forge({ agent_id: world().performer.id, aud: 'other' }),
    };
    const { code, stderr } = await home.run(['login', '--url', service.url, '--context', 'ci'], {
      env,
    });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/audience/i)]);
    const none = await home.run(['login', '--url', service.url], {
      env: { NOTARY_OIDC_TOKEN: 'x' },
    });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no JWT')]);
  });

  it('replaces no API key', async () => {
    await home.json(['init', service.url, '--context', 'key', '--key-stdin'], {
      input: String(world().principal.client.key),
    });
    const { code, stderr } = await home.run(['login', '--context', 'key']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds an API key')]);
  });

  it('tells of a certificate that ended how to get another', async () => {
    const { contexts } = home.profile;
    contexts.login.credential = {
      ...contexts.login.credential,
      certificate: 'x',
      expiresAt: '2020-01-01T00:00:00Z',
    };
    home.file('.config/notary/profile.json', { ...home.profile, contexts });
    const { code, stderr } = await home.run(['list', '--context', 'login']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /certificate of the context login expired at 2020.*notary login --context login/,
      ),
    ]);
  });
});
