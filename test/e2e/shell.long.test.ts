import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTools } from '../support/runner/tools.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { ShellHome } from '../support/service/shell-home.ts';
import { Client, ok } from '../support/service/world.ts';

/** The shell client against a service in a process of its own: two agents take a record from its beginning to a dispute. */
const service = new ServiceProcess();
const home = new ShellHome();
let fingerprint: string;
let platformKey: string;

const BUILD = {
  type: 'build',
  criteriaSchema: {
    type: 'object',
    required: ['branch'],
    properties: { branch: { type: 'string' } },
  },
  completionSchema: {
    type: 'object',
    required: ['failed'],
    properties: { failed: { type: 'integer' } },
  },
  gates: [{ id: 'green', expression: 'evidence.failed == 0' }],
};

beforeAll(async () => {
  const first = await service.bootstrap();
  ({ apiKey: platformKey, signingKeyFingerprint: fingerprint } = first);
  await service.start();
  await home.json(['init', service.url, '--context', 'planner', '--org', 'Acme', '--key-stdin'], {
    input: `${platformKey}\n`,
  });
  await home.json(['init', service.url, '--context', 'builder']);
  await home.json(['types', 'register', '-', '--context', 'planner-admin'], {
    input: JSON.stringify(BUILD),
  });
});
afterAll(async () => {
  await service.stop();
  home.end();
});

const opened = async (): Promise<string> => {
  const record = await home.json(['open', '-t', 'build', '-', '--performer', 'builder'], {
    input: '{"branch":"main"}',
  });
  return String(record['id']);
};

const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());

describe('notary init, at a service', () => {
  it('made an org, an administrator, two agents and contexts of them, in a file for its owner alone', async () => {
    const { profile } = home;
    expect(Object.keys(profile['contexts']).toSorted()).toEqual([
      'builder',
      'planner',
      'planner-admin',
      'planner-platform',
    ]);
    expect(profile['current']).toBe('planner');
    expect(statSync(home.profilePath).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.profilePath, '..')).mode & 0o777).toBe(0o700);
    for (const one of Object.values<any>(profile['contexts']))
      expect(one).toMatchObject({ url: service.url, fingerprint });
    const { planner, builder } = profile['contexts'];
    expect([planner.orgId, planner.role]).toEqual([builder.orgId, 'agent']);
    expect(planner.agentId).not.toBe(builder.agentId);
  });

  it('changes nothing where all of it is there', async () => {
    const before = home.profile;
    const again = await home.json(['init', service.url, '--context', 'planner']);
    expect(again).toMatchObject({ context: 'planner', isCurrent: true, pid: null });
    expect(home.profile).toEqual(before);
  });

  it('refuses a service that does not sign with the key that was named', async () => {
    const { code, stderr } = await home.run([
      'init',
      service.url,
      '--context',
      'other',
      '--fingerprint',
      `sha256:${'ab'.repeat(32)}`,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not sign with sha256:abab')]);
  });

  it.skipIf(!hasTools('script'))(
    'asks for the key in a terminal, and does not show it',
    async () => {
      const key = String(home.profile['contexts'].builder.credential.apiKey);
      const notary = `${process.execPath} ${resolve('dist/config/main.js')}`;
      const typed = `${notary} init ${service.url} --key-stdin --context tty`;
      const terminal = spawn('script', ['-qec', typed, '/dev/null'], {
        env: {
          PATH: process.env['PATH'],
          HOME: home.directory,
          XDG_CONFIG_HOME: join(home.directory, 'tty'),
        },
      });
      let shown = '';
      let isTyped = false;
      terminal.stdout.on('data', (part: Buffer) => {
        shown += part.toString();
        if (isTyped || !shown.includes('The key: ')) return;
        isTyped = true;
        terminal.stdin.write(`${key}\r`);
      });
      expect((await once(terminal, 'close'))[0], shown).toBe(0);
      expect(shown).toContain('context   tty, the current one');
      expect(shown).not.toContain(key);
    },
  );

  it('replaces a key that was revoked, of the same agent', async () => {
    const { builder } = home.profile['contexts'];
    const admin = new Client(service.url, platformKey);
    await ok(admin.patch(`/v1/admin/api-keys/${builder.credential.keyId}`, { isActive: false }));
    const refused = await home.run(['whoami', '--context', 'builder']);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('Get another one with: notary init');
    await home.json(['init', service.url, '--context', 'builder']);
    const after = await home.json(['whoami', '--context', 'builder']);
    expect(after['ownerId']).toBe(builder.agentId);
    expect(home.profile['contexts'].builder.credential.keyId).not.toBe(builder.credential.keyId);
  });
});

describe('notary notarize', () => {
  it('seals a file by its SHA-256, and verifies at once what was sealed', async () => {
    const file = home.file('report.bin', 'some bytes');
    const { code, stdout, stderr } = await home.run(['notarize', '--digest', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^RECORDED {2}[0-9a-f-]{36}\n/);
    expect(stdout).toContain(`verified  signed by sha256:${fingerprint}`);
    const next = lines(stdout).find((line) => line.startsWith('notary show '));
    const shown = await home.run(next!.split(/ {2,}/)[0]!.split(' ').slice(1));
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(createHash('sha256').update('some bytes').digest('hex'));
  });

  it('seals a JSON object of a type, from standard input, once under one idempotency key', async () => {
    await home.json([
      'types',
      'register',
      home.file('note.json', { type: 'note', completionSchema: {} }),
      '--context',
      'planner-admin',
    ]);
    const typed = ['notarize', '-t', 'note', '-', '--idempotency-key', 'n-1'];
    const one = await home.json(typed, { input: '{"n":1}' });
    const two = await home.json(typed, { input: '{"n":1}' });
    expect([one['status'], one['criteria']]).toEqual(['RECORDED', { n: 1 }]);
    expect(two['id']).toBe(one['id']);
  });

  it('refuses what is no JSON object, and says how any file is sealed', async () => {
    for (const input of ['no JSON', '[1]', '{"a":1,"a":2}']) {
      const { code, stderr } = await home.run(['notarize', '-t', 'note', '-'], { input });
      expect([input, code, stderr]).toEqual([input, 2, expect.stringContaining('give --digest')]);
    }
    expect((await home.run(['notarize', 'x.json'])).code).toBe(2);
  });
});

describe('a record between two agents', () => {
  it('is opened, accepted, completed and decided, and each answer names the next command', async () => {
    const open = await home.run(['open', '-t', 'build', '-', '--performer', 'builder'], {
      input: '{"branch":"main"}',
    });
    const [, id] = /PROPOSED {2}([0-9a-f-]{36})/.exec(open.stdout)!;
    expect(open.stdout).toContain(`notary show ${id} --context builder`);

    const seen = await home.run(['show', id!, '--context', 'builder']);
    expect(seen.stdout).toContain(`notary accept ${id} --context builder`);
    const accepted = await home.run(['accept', id!, '--context', 'builder']);
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringMatching(/^ACTIVE/)]);
    expect(accepted.stdout).toContain(`notary complete ${id} EVIDENCE.json --context builder`);

    const wrong = await home.run(['complete', id!, '-', '--context', 'builder'], {
      input: '{"failed":"none"}',
    });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('/failed')]);
    const early = await home.run(['verdict', id!, 'accept']);
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringContaining('Nothing was delivered'),
    ]);
    const done = await home.run(['complete', id!, '-', '--context', 'builder'], {
      input: '{"failed":0}',
    });
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('COMPLETION_SUBMITTED')]);
    expect(done.stdout).toContain(`notary show ${id} --context planner`);

    const decided = await home.run(['verdict', id!, 'accept', '--reason', 'green']);
    expect([decided.code, decided.stdout]).toEqual([0, expect.stringMatching(/^FULFILLED/)]);
    expect(decided.stdout).toContain(`notary dispute ${id}`);
    const dispute = await home.run(['dispute', id!, '--statement', 'it does not build']);
    expect([dispute.code, dispute.stdout]).toEqual([0, expect.stringMatching(/^EVIDENCE_WINDOW/)]);
    const refused = await home.run(['accept', id!]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('dispute is open')]);

    const story = await home.run(['show', id!]);
    expect(story.code).toBe(0);
    for (const step of ['proposed', 'accepted the proposal', 'delivered', 'accepted the work'])
      expect(story.stdout).toContain(step);
    expect(story.stdout).toMatch(/^VALID: /m);
  });

  it('is rejected, cancelled and disputed on by the names of the guidance, and by no other', async () => {
    const id = await opened();
    const seen = await home.run(['show', id, '--context', 'builder']);
    expect(seen.stdout).toContain(`notary act ${id} reject --context builder`);
    const rejected = await home.run(['act', id, 'reject', '-', '--context', 'builder'], {
      input: '{"reason":"no time"}',
    });
    expect([rejected.code, rejected.stdout]).toEqual([0, expect.stringMatching(/^REJECTED/)]);
    const again = await home.run(['act', id, 'reject', '--context', 'builder']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('not possible now')]);

    const other = await opened();
    expect((await home.json(['act', other, 'cancel']))['status']).toBe('CANCELLED');

    const done = await opened();
    await home.json(['accept', done, '--context', 'builder']);
    await home.json(['complete', done, '-', '--context', 'builder'], { input: '{"failed":0}' });
    await home.json(['verdict', done, 'reject']);
    await home.json(['dispute', done, '--context', 'builder']);
    expect((await home.run(['act', done, 'withdraw-dispute', '--context', 'builder'])).code).toBe(
      0,
    );
    expect((await home.run(['show', done])).stdout).toContain('withdr');
  });

  it('is verified under the key that the context trusts, and not under another', async () => {
    const id = await opened();
    const { code, stdout } = await home.run(['verify', id]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('VALID: 1 entry')]);
    const other = await home.run(['verify', id, '--keys', `sha256:${'ab'.repeat(32)}`]);
    expect(other.code).toBe(2);
    const lost = await home.run(['verify', '01a00000-0000-7000-8000-000000000000']);
    expect(lost.code).toBe(1);
  });

  it('is exported, and the file is verified and shown offline', async () => {
    const id = await opened();
    const file = join(home.directory, 'export.json');
    const page = join(home.directory, 'export.html');
    expect((await home.run(['export', id, '--evidence', '--out', file])).code).toBe(0);
    expect((await home.run(['export', id, '--html', '--out', page])).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
    // Nothing of the profile is needed for a file.
    const offline = new ShellHome();
    const keys = ['--keys', `sha256:${fingerprint}`];
    expect((await offline.run(['verify', file, ...keys])).code).toBe(0);
    expect((await offline.run(['show', file, ...keys])).stdout).toContain('proposed');
    expect(existsSync(offline.profilePath)).toBe(false);
    offline.end();
  });

  it('is listed, with filters, and the list says how many there are', async () => {
    const id = await opened();
    const { data, total } = await home.json(['list', '--status', 'proposed', '-t', 'build']);
    expect(data[0]).toMatchObject({ id, status: 'PROPOSED' });
    expect(total).toBeGreaterThan(1);
    const { stdout } = await home.run(['list', '--limit', '1']);
    expect(stdout).toMatch(/^1 of \d+; --limit shows more$/m);
  });

  it('is watched: each new step is told once, until the record is final', async () => {
    const id = await opened();
    const watch = home.spawn(['show', id, '--watch']);
    let told = '';
    watch.stdout!.on('data', (part: Buffer) => (told += part.toString()));
    const ended = once(watch, 'close');
    await expect.poll(() => told).toContain('proposed the record');
    await home.json(['accept', id, '--context', 'builder']);
    await expect.poll(() => told).toContain('accepted the proposal');
    const done = await home.json(['complete', id, '-', '--context', 'builder'], {
      input: '{"failed":1}',
    });
    await home.json(['verdict', id, 'accept', '--completion', String(done['id'])]);
    expect((await ended)[0]).toBe(0);
    for (const step of [
      'proposed the record',
      'accepted the proposal',
      'delivered the work',
      'accepted the work',
    ])
      expect(told.split(step), step).toHaveLength(2);
  }, 180_000);

  it('is watched until Ctrl-C, which ends with 130', async () => {
    const id = await opened();
    const watch = home.spawn(['show', id, '--watch']);
    let told = '';
    watch.stdout!.on('data', (part: Buffer) => (told += part.toString()));
    await expect.poll(() => told).toContain('VALID');
    watch.kill('SIGINT');
    expect((await once(watch, 'close'))[0]).toBe(130);
  });
});

describe('notary whoami, contexts and keys', () => {
  it('tells who one is, without a key', async () => {
    const me = await home.json(['whoami']);
    expect(me).toMatchObject({ context: 'planner', role: 'agent', url: service.url, fingerprint });
    expect((await home.run(['whoami'])).stdout).toContain(`service   ${service.url}`);
  });

  it('chooses a context by flag, by environment, by the profile, in this order', async () => {
    const env = { NOTARY_CONTEXT: 'builder' };
    expect((await home.json(['whoami'], { env }))['context']).toBe('builder');
    expect((await home.json(['whoami', '--context', 'planner'], { env }))['context']).toBe(
      'planner',
    );
    const key = { NOTARY_URL: service.url, NOTARY_API_KEY: platformKey };
    expect(await home.json(['whoami'], { env: { ...env, ...key } })).toMatchObject({
      context: null,
      role: 'platform',
    });
    expect(await home.json(['whoami', '--context', 'builder'], { env: key })).toMatchObject({
      context: 'builder',
    });
    await home.json(['contexts', 'use', 'builder']);
    expect((await home.json(['whoami']))['context']).toBe('builder');
    expect((await home.run(['contexts'])).stdout).toMatch(/^\* builder /m);
    const names = (await home.run(['contexts', 'list', '--names'])).stdout.trim().split('\n');
    expect(names).toEqual(Object.keys(home.profile['contexts']));
    await home.json(['contexts', 'use', 'planner']);
  });

  it('rotates the key of a context, and keeps the new one', async () => {
    const before = home.profile['contexts'].builder.credential;
    const { code, stdout } = await home.run([
      'keys',
      'rotate',
      '--context',
      'builder',
      '--grace',
      '0',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('has the key')]);
    const after = home.profile['contexts'].builder.credential;
    expect(after.apiKey).not.toBe(before.apiKey);
    expect((await home.run(['whoami', '--context', 'builder'])).code).toBe(0);
    const old = { NOTARY_URL: service.url, NOTARY_API_KEY: String(before.apiKey) };
    await expect.poll(async () => (await home.run(['whoami'], { env: old })).code).toBe(3);
  });

  it('rotates no key that is in no profile', async () => {
    const env = { NOTARY_URL: service.url, NOTARY_API_KEY: platformKey };
    const { code, stderr } = await home.run(['keys', 'rotate'], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('in no profile')]);
  });

  it('lists keys by the API with a context, and on the host without one', async () => {
    const byApi = await home.json([
      'keys',
      'list',
      '--context',
      'planner-admin',
      '--role',
      'agent',
    ]);
    expect(byApi['length']).toBeGreaterThan(1);
    const onHost = await service.run('keys', 'list', '--json');
    expect(onHost.code).toBe(0);
    expect(JSON.parse(onHost.stdout)).toMatchObject([{ role: 'platform' }]);
  });

  it('forgets a context', async () => {
    await home.json(['init', service.url, '--context', 'passing']);
    const { contexts } = await home.json(['contexts', 'remove', 'passing']);
    expect(contexts.map(({ name }: { name: string }) => name)).not.toContain('passing');
  });
});

describe('what others wrote', () => {
  it('acts on no terminal, in text and in JSON', async () => {
    const evil = '\u009b31mred';
    const { planner } = home.profile['contexts'];
    const agent = new Client(service.url, planner.credential.apiKey);
    const record = await ok(agent.post('/v1/records', { type: 'note', criteria: { evil } }));
    for (const args of [
      ['show', String(record['id'])],
      ['show', String(record['id']), '--json'],
      ['list', '--json'],
    ]) {
      const { code, stdout } = await home.run(args);
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).not.toMatch(/[\u0080-\u009f\u001b]/);
      expect(stdout).toContain('\\u009b31mred');
    }
  });
});

describe('a reader that goes away', () => {
  it('is no failure, and a full disk is one', async () => {
    const child = home.spawn(['list', '--json']);
    child.stdout!.destroy();
    expect((await once(child, 'close'))[0]).toBe(0);
    if (!existsSync('/dev/full')) return;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['dist/config/main.js', 'list'], {
      env: { PATH: process.env['PATH'], HOME: home.directory },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
  });
});

describe('a profile', () => {
  it('that was edited into something else is refused with the place at fault', async () => {
    const text = readFileSync(home.profilePath, 'utf8');
    try {
      writeFileSync(home.profilePath, text.replace('"role": "agent"', '"role": 7'));
      const { code, stderr } = await home.run(['list']);
      expect([code, stderr]).toEqual([3, expect.stringContaining('has no role that is a text')]);
    } finally {
      writeFileSync(home.profilePath, text);
    }
  });
});
