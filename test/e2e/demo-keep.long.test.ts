import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../support/service/processes-of.ts';
import { Client } from '../support/service/world.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-demo-test-'));
});
afterEach(() => {
  for (const id of processesOf(directory)) process.kill(Number(id), 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves when nobody holds the output any more, as `$(...)` in a shell does. */
const run = async (command: string, ...args: readonly string[]): Promise<Run> => {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
};

const demo = (...args: readonly string[]): Promise<Run> =>
  run(process.execPath, 'dist/config/main.js', 'demo', ...args);

interface Kept {
  readonly url: string;
  readonly pid: number;
  readonly directory: string;
  readonly signingKeyFingerprint: string;
  readonly platformKey: string;
  readonly orgId: string;
  readonly adminKey: string;
  readonly planner: { readonly agentId: string; readonly apiKey: string };
  readonly builder: { readonly agentId: string; readonly apiKey: string };
  readonly fulfilledRecordId: string;
  readonly proposedRecordId: string;
}

const kept = async (...args: readonly string[]): Promise<Kept> => {
  const { code, stdout, stderr } = await demo('--keep', ...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Kept;
};

const roleOf = async (url: string, key: string): Promise<unknown> =>
  (await new Client(url, key).get('/v1/auth/me')).body['role'];

const isGone = async (): Promise<void> => {
  await expect.poll(() => processesOf(directory)).toEqual([]);
};

const hasCurl = !spawnSync('curl', ['--version'], { stdio: 'ignore' }).error;

describe.skipIf(process.platform !== 'linux')('notary demo --keep', () => {
  it('ends, and leaves a service that answers with the keys and the records that it names', async () => {
    const seeded = await kept();
    const { url, planner, builder } = seeded;
    expect(dirname(seeded.directory)).toBe(directory);
    expect(processesOf(directory)).toEqual([String(seeded.pid)]);
    expect(
      await Promise.all(
        [seeded.platformKey, seeded.adminKey, planner.apiKey].map((key) => roleOf(url, key)),
      ),
    ).toEqual(['platform', 'admin', 'agent']);
    const read = new Client(url, builder.apiKey);
    expect((await read.get(`/v1/records/${seeded.fulfilledRecordId}`)).body['status']).toBe(
      'FULFILLED',
    );
    expect((await read.get(`/v1/records/${seeded.proposedRecordId}`)).body).toMatchObject({
      status: 'PROPOSED',
      performerAgentId: builder.agentId,
      nextActions: expect.arrayContaining(['accept']),
    });
    process.kill(seeded.pid, 'SIGTERM');
    await isGone();
  });

  it('removes all that it made when it is stopped as it says', async () => {
    const { code, stdout } = await demo('--keep');
    expect(code).toBe(0);
    const stop = /^ {2}(kill \d+)$/m.exec(stdout)?.[1];
    expect(stop, stdout).toBeDefined();
    expect(readdirSync(directory)).toHaveLength(1);
    expect((await run('sh', '-c', stop!)).code).toBe(0);
    await isGone();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.skipIf(!hasCurl)(
    'prints three curl commands and a verification that work as they stand there',
    async () => {
      const { stdout } = await demo('--keep');
      const commands = [...stdout.matchAll(/^ {2}((?:curl|npx notary verify) .*)$/gm)].map(
        ([, command]) => command!,
      );
      expect(commands.map((command) => command.split(' ')[0])).toEqual([
        'curl',
        'curl',
        'curl',
        'npx',
      ]);
      const answers = [];
      for (const command of commands)
        answers.push(
          await run(
            'sh',
            '-c',
            command.replace('npx notary', `${process.execPath} dist/config/main.js`),
          ),
        );
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      expect(JSON.parse(answers[0]!.stdout)).toMatchObject({ status: 'RECORDED' });
      expect(JSON.parse(answers[1]!.stdout)).toMatchObject({ status: 'PROPOSED' });
      expect(answers[3]!.stdout).toMatch(/^VALID/m);
      await run('sh', '-c', /^ {2}(kill \d+)$/m.exec(stdout)![1]!);
      await isGone();
    },
  );

  it('keeps a given directory when it is stopped, and says how to start on it again', async () => {
    const given = join(directory, 'with space', 'play');
    const { code, stdout } = await demo('--keep', given);
    expect(code).toBe(0);
    const [, again] = /^ {2}(DATA_DIR=.*)$/m.exec(stdout) ?? [];
    expect(again).toBe(
      `DATA_DIR='${join(given, 'data')}' KEYS_DIR='${join(given, 'keys')}' npm start`,
    );
    await run('sh', '-c', /^ {2}(kill \d+)$/m.exec(stdout)![1]!);
    await isGone();
    expect(existsSync(join(given, 'data', 'notary.sqlite'))).toBe(true);
    const other = await demo('--keep', given);
    expect([other.code, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toMatch(/^notary: .*is not empty.*Name a new directory/);
    expect(existsSync(join(given, 'data', 'notary.sqlite'))).toBe(true);
  });

  it('refuses a directory that is a file, in a sentence', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await demo('--keep', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^notary: The directory .*file cannot be used: /);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses --json where nothing is kept', async () => {
    const { code, stderr } = await demo('--json');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--json.*--keep/);
  });

  it.each([
    ['a temporary directory', false],
    ['a given directory, which was there', true],
  ])('leaves nothing in %s when it is ended before it is done', async (_, isGiven) => {
    const place = join(directory, 'given');
    if (isGiven) mkdirSync(place);
    const child = spawn(
      process.execPath,
      ['dist/config/main.js', 'demo', '--keep', ...(isGiven ? [place] : [])],
      {
        env: { PATH: process.env['PATH'], TMPDIR: directory },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let said = '';
    child.stdout.on('data', (part: Buffer) => (said += part.toString()));
    const closed = once(child, 'close');
    await expect.poll(() => said, { interval: 20 }).toMatch(/it answers at http/);
    child.kill('SIGTERM');
    expect((await closed)[0]).toBe(143);
    await isGone();
    expect(readdirSync(isGiven ? place : directory)).toEqual([]);
  });
});
