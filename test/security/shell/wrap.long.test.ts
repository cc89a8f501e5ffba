import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { wrapType } from '../../../adapters/cli/mcp/wrap/wrap-type.ts';
import { McpHost, NOTARY } from '../../support/peers/mcp-host.ts';
import { ServiceProcess } from '../../support/service/service-process.ts';
import { addAgent, createWorld, ok, type Body, type World } from '../../support/service/world.ts';

/** A tool server, a host and a neighbour on the machine that want a call unsealed, sealed as another, or lost. */
const TOOL_SERVER = 'test/support/attackers/hostile-tool-server.mjs';
let service: ServiceProcess;
let world: World;
let folder: string;
let key: string;
const hosts: McpHost[] = [];
const AWAY = { NOTARY_URL: 'http://127.0.0.1:9' };
beforeAll(async () => {
  service = new ServiceProcess({});
  const { apiKey } = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, apiKey);
  await ok(world.admin.post('/v1/schemas', wrapType('mcp.tool-call')));
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notary-attack4-'));
  const { client } = await addAgent(world.admin, world.orgId, `a-${crypto.randomUUID()}`);
  key = String(client.key);
});
afterEach(async () => {
  for (const one of hosts.splice(0)) {
    one.kill();
    await one.ended;
  }
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await service.stop('SIGKILL');
  rmSync(service.directory, { recursive: true, force: true });
});

const queue = (): string => join(folder, 'queue');
const argsOf = (options: readonly string[]): string[] => [
  ...NOTARY,
  '--queue',
  queue(),
  ...options,
  '--wrap',
  process.execPath,
  TOOL_SERVER,
];
const wrap = (
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): McpHost => {
  const made = new McpHost(argsOf(options), {
    NOTARY_URL: service.url,
    NOTARY_API_KEY: key,
    ...env,
  });
  hosts.push(made);
  return made;
};
const factsOf = async (of = key): Promise<Body[]> => {
  const answer = await fetch(
    `${service.url}/v1/records?type=mcp.tool-call&sort=createdAt&limit=200`,
    { headers: { authorization: `Bearer ${of}` } },
  );
  return ((await answer.json()) as Body)['data'].map(({ criteria }: Body) => criteria as Body);
};
const outcomes = async (): Promise<unknown[]> =>
  (await factsOf()).map(({ call, event, outcome }) => [call, event, outcome]);
const queued = (): string[] =>
  readdirSync(queue(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );

describe('a tool server', () => {
  it('has no secret of the one who watches it, and all the rest of the environment', async () => {
    const secrets = {
      NOTARY_OIDC_TOKEN: 'token-of-the-host',
      API_KEY_PEPPER: 'pepper-of-the-host',
      SECRETS_KEY: 'secrets-of-the-host',
      SIGNER_KEK: 'kek-of-the-host',
    };
    const host = wrap([], { ...secrets, OWN_TOKEN: 'of the tool server' });
    const answer = await host.call(1, 'environment');
    const given = JSON.parse(answer['result'].content[0].text as string) as Body;
    expect(given).toMatchObject({ OWN_TOKEN: 'of the tool server', NOTARY_URL: service.url });
    for (const secret of [key, ...Object.values(secrets)])
      expect(JSON.stringify(given)).not.toContain(secret);
    await host.end();
  });

  it('is heard by the official client as the wrapper hears it: an answer under an id of another kind is sealed', async () => {
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: argsOf([]),
        env: {
          PATH: process.env['PATH']!,
          HOME: folder,
          NOTARY_URL: service.url,
          NOTARY_API_KEY: key,
        },
        stderr: 'ignore',
      }),
    );
    const taken = (await client.callTool({ name: 'otherId' })) as Body;
    expect(taken['content'][0].text).toBe('taken');
    await client.close();
    await expect.poll(outcomes).toEqual([
      [0, 'call', undefined],
      [0, 'result', 'result'],
    ]);
  });

  it('answers once, and nothing that was not asked', async () => {
    const host = wrap();
    await host.call(1, 'twice');
    await host.call(5, 'ahead');
    const next = await host.call(6, 'name');
    expect(next['result'].content[0].text).toBe('named');
    await host.end();
    expect(host.lines.join('')).not.toMatch(/second|ahead/);
    expect(host.errors.match(/answers what is not asked/g)).toHaveLength(2);
    expect(await outcomes()).toHaveLength(6);
  });

  it('says nothing that two hosts read as two things', async () => {
    const host = wrap();
    host.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'twoInOne' } });
    await host.call(2, 'name');
    await host.end();
    expect(host.lines.join('')).not.toContain('77');
    expect((await factsOf())[3] ?? {}).toMatchObject({});
    expect(await outcomes()).toContainEqual([0, 'result', 'unanswered']);
  });

  it.each([
    ['block', 'up'],
    ['queue', 'up'],
    ['queue', 'away'],
  ])(
    'whose wrapper is killed in the middle of a call is told of by the next one: %s, %s',
    async (mode, state) => {
      const options = ['--on-unavailable', mode];
      const host = wrap(options, state === 'up' ? {} : AWAY);
      await host.call(1, 'name').catch(() => undefined);
      host.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'silent' } });
      const isOpen = (name: string): boolean => name.endsWith('.open');
      // A file is there before what it says.
      const isWhole = (name: string): boolean =>
        readFileSync(join(queue(), name), 'utf8').endsWith('}');
      const left = (): string[] =>
        readdirSync(queue(), { recursive: true, encoding: 'utf8' }).filter((name) =>
          /\.(json|open)$/.test(name),
        );
      await expect
        .poll(() => left().filter(state === 'up' ? isOpen : isWhole).length)
        .toBe(state === 'up' ? 1 : 3);
      host.kill('SIGKILL');
      await host.ended;
      const next = wrap(options, state === 'up' ? {} : AWAY);
      await next.initialize();
      if (state === 'up') {
        await expect.poll(async () => (await factsOf()).length).toBe(4);
        expect((await factsOf())[3]).toMatchObject({
          call: 1,
          outcome: 'unanswered',
          tool: 'silent',
        });
      } else {
        const bodies = queued().map(
          (name) => JSON.parse(readFileSync(join(queue(), name), 'utf8')) as Body,
        );
        expect(bodies.map(({ body }) => body.criteria.outcome).sort()).toEqual([
          'result',
          'unanswered',
          undefined,
          undefined,
        ]);
      }
      next.kill();
      await next.ended;
    },
  );

  it.each(['block', 'queue'])('cannot choose a result that is not sealed: %s', async (mode) => {
    const host = wrap(['--contents', '--on-unavailable', mode]);
    // With a name that ends in half a character where it is cut.
    await host.initialize();
    const deep = await host.call(1, 'deep');
    expect(deep['result']).toBeDefined();
    await host.end();
    await expect.poll(outcomes).toEqual([
      [0, 'call', undefined],
      [0, 'result', 'result'],
    ]);
    expect(queued()).toEqual([]);
  });
});

describe('a queue', () => {
  const unsent = async (): Promise<void> => {
    // Another port of the same service, as after a move: what is queued is for the first one.
    const host = wrap(['--on-unavailable', 'queue', '--contents']);
    await host.initialize();
    await host.end();
  };

  it('is sent to no other service, and under no other key', async () => {
    await unsent();
    const away = wrap(['--on-unavailable', 'queue', '--contents'], AWAY);
    await away.call(1, 'name', { secret: 'of another org' });
    away.kill('SIGKILL');
    await away.ended;
    expect(queued()).toHaveLength(2);
    const other = wrap(['--on-unavailable', 'queue']);
    await other.call(1, 'name');
    expect(await other.end()).toBe(0);
    expect(other.errors).toContain('2 facts for another service or key wait in');
    expect(JSON.stringify(await factsOf())).not.toContain('of another org');
    expect(queued()).toHaveLength(2);
    expect(readFileSync(join(queue(), queued()[0]!), 'utf8')).toContain('of another org');
  });

  it('loses none of two runs that began at once and ended', async () => {
    await unsent();
    const [destination] = readdirSync(queue()) as [string];
    const here = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
    const fact = (call: number): string =>
      JSON.stringify({
        key: crypto.randomUUID(),
        body: {
          type: 'mcp.tool-call',
          platform: 'mcp',
          criteria: {
            event: 'call',
            session: crypto.randomUUID(),
            call,
            command: 'c',
            tool: 't',
            requestId: '1',
          },
        },
      });
    for (const call of [1, 2]) {
      const left = join(queue(), destination, `${here}-4194303-${crypto.randomUUID()}`);
      mkdirSync(left, { mode: 0o700 });
      writeFileSync(join(left, '00001764000000-000000000.json'), fact(call));
    }
    const next = wrap();
    await next.initialize();
    await expect.poll(async () => (await factsOf()).length).toBe(4);
    // Each of them has an end, which nobody saw.
    expect((await factsOf()).map(({ call }) => call as number).sort()).toEqual([1, 1, 2, 2]);
    await next.end();
  });

  it('keeps what a key was refused for, until there is one that is taken', async () => {
    const host = wrap(['--on-unavailable', 'queue']);
    await host.initialize();
    const { apiKeyId } = (await (
      await fetch(`${service.url}/v1/auth/me`, { headers: { authorization: `Bearer ${key}` } })
    ).json()) as Body;
    await ok(world.admin.patch(`/v1/admin/api-keys/${String(apiKeyId)}`, { isActive: false }));
    await host.call(1, 'name');
    await host.end();
    expect(queued()).toHaveLength(2);
    expect(queued().join()).not.toContain('refused');
    expect(host.errors).toContain('waits for the next run');
    await ok(world.platform.patch(`/v1/admin/api-keys/${String(apiKeyId)}`, { isActive: true }));
    const next = wrap();
    await next.initialize();
    await expect.poll(async () => (await factsOf()).length).toBe(2);
    await next.end();
    expect(queued()).toEqual([]);
  });
});
