import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../support/service/processes-of.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-demo-test-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const start = (command: string, args: readonly string[]): ChildProcess & { said: string } => {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = Object.assign(child, { said: '' });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => (seen.said += part.toString()));
  return seen;
};

const demo = (): ChildProcess & { said: string } =>
  start(process.execPath, ['dist/config/main.js', 'demo']);

const isGone = async (): Promise<void> => {
  await expect.poll(() => processesOf(directory)).toEqual([]);
  expect(readdirSync(directory)).toEqual([]);
};

describe.skipIf(process.platform !== 'linux')('notary demo leaves nothing behind', () => {
  it('but the record and its verifier in one file, when it is done', async () => {
    const child = demo();
    expect((await once(child, 'close'))[0], child.said).toBe(0);
    expect(processesOf(directory)).toEqual([]);
    const [left, ...more] = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.html'),
    );
    expect(more).toEqual([]);
    expect(child.said).toContain(join(directory, left!));
    expect(readdirSync(directory)).toEqual([dirname(left!)]);
  });

  it('when whoever reads its output leaves', async () => {
    const shell = start('sh', ['-c', `${process.execPath} dist/config/main.js demo | head -3`]);
    await once(shell, 'close');
    expect(shell.said).toMatch(/a running tour/);
    expect(shell.said).not.toMatch(/EPIPE|\n\s+at /);
    await isGone();
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('when %s ends it while its service runs', async (signal, code) => {
    const child = demo();
    const closed = once(child, 'close');
    await expect.poll(() => child.said, { interval: 20 }).toMatch(/it answers at http/);
    expect(processesOf(directory).length).toBeGreaterThan(1);
    child.kill(signal);
    expect((await closed)[0]).toBe(code);
    expect(child.said).not.toMatch(/The demo stopped at this step|\n\s+at /);
    await isGone();
  });

  it('when a signal comes before its service answers', async () => {
    const child = demo();
    const closed = once(child, 'close');
    await expect.poll(() => processesOf(directory).length, { interval: 5 }).toBeGreaterThan(1);
    child.kill('SIGTERM');
    expect((await closed)[0]).toBe(143);
    await isGone();
  });
});
