import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesOf } from '../support/service/processes-of.ts';
import { until } from '../support/peers/receiver.ts';

const run = promisify(execFile);
const PROGRAM = resolve('dist/config/main.js');

let directory: string;
/** Where an operator has a service: its database is named by a `.env`. */
let operated: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'notary-demo-place-'));
  operated = join(directory, 'operated');
  mkdirSync(join(operated, 'store'), { recursive: true });
  writeFileSync(
    join(operated, '.env'),
    `DATABASE_URL=sqlite://${join(operated, 'store', 'operator.sqlite')}\n`,
  );
});
afterEach(async () => {
  for (const id of processesOf(directory)) process.kill(Number(id), 'SIGKILL');
  await until(() => processesOf(directory).length === 0);
  rmSync(directory, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env['PATH'], TMPDIR: directory });

describe.skipIf(process.platform !== 'linux')('the database that a demo may attack', () => {
  it('is its own, also where a service of somebody else is configured', async () => {
    const { stdout } = await run(process.execPath, [PROGRAM, 'demo', '--keep', '--json'], {
      cwd: operated,
      env: env(),
    });
    const demo = JSON.parse(stdout) as { readonly directory: string };
    expect(readdirSync(join(operated, 'store'))).toEqual([]);
    expect(readdirSync(join(demo.directory, 'data'))).toContain('notary.sqlite');
  });

  it('is none that the settings name, whoever starts its service', () => {
    const place = join(directory, 'notary-demo-abcdef');
    mkdirSync(place);
    writeFileSync(join(place, 'attack-token'), 'attack_of_somebody');
    const { status, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'kept-demo', place, '--stays'],
      {
        cwd: operated,
        env: { ...env(), PORT: '0', NODE_ENV: 'test' },
        encoding: 'utf8',
        timeout: 30_000,
      },
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('a demo is on the database of its own'),
    ]);
    expect(readdirSync(join(operated, 'store'))).toEqual([]);
  });
});
