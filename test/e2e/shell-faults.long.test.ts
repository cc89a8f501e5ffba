import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service/service-process.ts';
import { ShellHome, type ShellRun } from '../support/service/shell-home.ts';
import { Client, createWorld, ok, type Body, type World } from '../support/service/world.ts';

/** What is wrong ends in a sentence that says what to do, and an exit code. */
const service = new ServiceProcess();
const home = new ShellHome();
let world: World;
let text: string;

beforeAll(async () => {
  const first = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, first.apiKey);
  await home.json(['init', service.url, '--context', 'agent', '--key-stdin'], {
    input: String(world.principal.client.key),
  });
  text = readFileSync(home.profilePath, 'utf8');
});
afterAll(async () => {
  await service.stop();
  home.end();
});

const written = (content: string, mode = 0o600): void => {
  mkdirSync(dirname(home.profilePath), { recursive: true });
  writeFileSync(home.profilePath, content);
  chmodSync(home.profilePath, mode);
};

/** A command under this profile; the good one is put back. */
const under = async (
  content: string | null,
  args: readonly string[],
  mode?: number,
): Promise<ShellRun> => {
  try {
    if (content === null) rmSync(home.profilePath);
    else written(content, mode);
    return await home.run(args);
  } finally {
    written(text);
  }
};

const changed = (change: (profile: Body) => void): string => {
  const profile = JSON.parse(text) as Body;
  change(profile);
  return JSON.stringify(profile);
};

describe('a profile', () => {
  it('of an agent that brought its own key is that context alone', async () => {
    expect(await home.json(['whoami'])).toMatchObject({ context: 'agent', role: 'agent' });
    expect(Object.keys(home.profile['contexts'])).toEqual(['agent']);
  });

  it.each<[string, () => string | null, number | undefined, RegExp]>([
    ['that is not there', () => null, undefined, /no profile at .*notary init/],
    ['that others can read', () => text, 0o644, /mode is 0644\. Run: chmod 600/],
    ['that others can write', () => text, 0o620, /mode is 0620/],
    ['that is no JSON', () => '{', undefined, /it is no JSON/],
    [
      'of another version',
      () => changed((one) => (one['version'] = 2)),
      undefined,
      /version is not 1/,
    ],
    [
      'whose current is none',
      () => changed((one) => (one['current'] = 'x')),
      undefined,
      /current names no context/,
    ],
    [
      'with a context without a credential',
      () => changed((one) => delete one['contexts'].agent.credential),
      undefined,
      /context "agent" has no credential/,
    ],
    [
      'without a current one',
      () => changed((one) => (one['current'] = null)),
      undefined,
      /No context is chosen/,
    ],
  ])('%s ends in 3', async (_what, content, mode, said) => {
    const { code, stdout, stderr } = await under(content(), ['list'], mode);
    expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(said)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('without the context that is asked for ends in 3, and names those that there are', async () => {
    const { code, stderr } = await home.run(['list', '--context', 'nobody']);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/no context "nobody".*it has agent/)]);
  });
});

describe('a key', () => {
  it('that expired ends in 3, and says when', async () => {
    const { apiKey, keyId, expiresAt } = await ok(
      world.admin.post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId: world.principal.id,
        expiresInSeconds: 1,
      }),
    );
    const profile = changed(
      (one) => (one['contexts'].agent.credential = { kind: 'api-key', apiKey, keyId, expiresAt }),
    );
    await expect
      .poll(async () => under(profile, ['whoami']))
      .toMatchObject({ code: 3, stderr: expect.stringContaining(`expired at ${expiresAt}`) });
  });

  it('that is none ends in 3, from the profile and from the environment', async () => {
    const profile = changed((one) => (one['contexts'].agent.credential.apiKey = 'svc_agt_x'));
    const { code, stderr } = await under(profile, ['list']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('is not good any more')]);
    const env = { NOTARY_URL: service.url, NOTARY_API_KEY: 'svc_agt_x' };
    const other = await home.run(['list', '--json'], { env });
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('NOTARY_API_KEY')]);
    expect(JSON.parse(other.stdout)).toMatchObject({ problem: { code: 'UNAUTHORIZED' } });
  });

  it('that may not do this ends in 1, with what it lacks', async () => {
    const { code, stderr } = await home.run(['types', 'register', '-'], {
      input: '{"type":"x","completionSchema":{}}',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('schemas:admin')]);
  });

  it('that nobody gave ends init in a sentence', async () => {
    const env = { XDG_CONFIG_HOME: `${home.directory}/fresh` };
    const { code, stderr } = await home.run(['init', service.url], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('--key-stdin')]);
  });
});

describe('a service', () => {
  let other: Server;
  let url: string;
  beforeAll(async () => {
    other = createServer((_incoming, outgoing) => outgoing.end('<html>hello</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => other.close());

  it('that is away ends in 4', async () => {
    const profile = changed((one) => (one['contexts'].agent.url = 'http://127.0.0.1:1'));
    const { code, stderr } = await under(profile, ['list']);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/127\.0\.0\.1:1 does not answer/)]);
  });

  it('that is something else ends in 4', async () => {
    const profile = changed((one) => (one['contexts'].agent.url = url));
    const { code, stderr } = await under(profile, ['list']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('something other than the service'),
    ]);
  });

  it('that lies about what it sealed is found out, with 1', async () => {
    // Everything is that of the service, but for one digit of the export.
    const between = createServer((incoming, outgoing) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of incoming) parts.push(part as Buffer);
        const { authorization } = incoming.headers;
        const { status, body } = await new Client(
          service.url,
          authorization!.slice('Bearer '.length),
        ).call(
          String(incoming.method),
          String(incoming.url),
          parts.length ? Buffer.concat(parts) : undefined,
        );
        const text = JSON.stringify(body);
        const isExport = String(incoming.url).includes('audit-export');
        outgoing.writeHead(status, { 'content-type': 'application/json' });
        outgoing.end(isExport ? text.replaceAll('"n":1', '"n":2') : text);
      })();
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const lying = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const typed = ['notarize', '-t', 'note', home.file('n.json', { n: 1 })];
    try {
      expect((await home.run(typed)).stdout).toContain('verified  signed by');
      const profile = changed((one) => (one['contexts'].agent.url = lying));
      const { code, stdout } = await under(profile, typed);
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/NOT VERIFIED under sha256:.*CHAIN_/),
      ]);
    } finally {
      between.close();
    }
  });

  it('that answers with control characters acts on no terminal', async () => {
    const evil = createServer((_incoming, outgoing) => {
      outgoing.writeHead(422, { 'content-type': 'application/problem+json' });
      const detail = 'a\u001b]0;title\u0007b\r\nnotary: all is well\u202e';
      outgoing.end(JSON.stringify({ code: 'INVALID_ACTION', detail, suggestion: detail }));
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    try {
      const profile = changed((one) => (one['contexts'].agent.url = at));
      const { code, stdout, stderr } = await under(profile, ['list', '--json']);
      expect(code).toBe(1);
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007\r\u202e]/);
      expect(stderr).not.toMatch(/^notary: all is well/m);
      expect(JSON.parse(stdout)).toMatchObject({ problem: { code: 'INVALID_ACTION' } });
    } finally {
      evil.close();
    }
  });

  it('that is not of this machine is not called in the clear', async () => {
    for (const args of [
      ['init', 'http://notary.example'],
      ['login', '--url', 'http://notary.example'],
    ]) {
      const { code, stderr } = await home.run(args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('use https')]);
    }
  });
});

describe('a command line', () => {
  it.each([
    [['notarize', 'x.json']],
    [['open', 'x.json']],
    [['verdict', '01a00000-0000-7000-8000-000000000000', 'maybe']],
    [['list', '--limit', 'many']],
    [['show', 'export.json', '--watch']],
    [['init', 'https://notary.example', '--directory', 'd']],
    [['init', '--context', 'two words']],
    [['keys', 'rotate', '--grace', 'soon']],
  ])('%j is refused with 2', async (args) => {
    const { code, stderr } = await home.run(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\w/)]);
  });

  it('with a file that is not there ends in 2', async () => {
    const { code, stderr } = await home.run(['notarize', '-t', 'note', 'nowhere.json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('nowhere.json cannot be read')]);
  });
});
