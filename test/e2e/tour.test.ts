import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.ts';

/** The tour of the README, typed as it stands there: every `sh` block, top to bottom, in one shell. */
const readme = readFileSync('README.md', 'utf8');
const tour = readme.slice(readme.indexOf('<!-- tour -->'), readme.indexOf('<!-- /tour -->'));
const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

/** A reader has these; a bare machine with Node may not. The full check, which sets REQUIRE_MYSQL, leaves nothing out. */
const missing = ['bash', 'curl'].filter(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error,
);
const isLeftOut = missing.length > 0 && process.env['REQUIRE_MYSQL'] !== '1';

const service = new ServiceProcess();

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nobody types for it: what is not in the blocks is not there. `npx` must find the command of this clone, so it gets no network. */
const typed = (script: string): Promise<Run> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: service.directory,
      TMPDIR: service.directory,
      DATA_DIR: join(service.directory, 'data'),
      KEYS_DIR: join(service.directory, 'keys'),
      NODE_ENV: 'test',
      NO_COLOR: '1',
      BASE: service.url,
      npm_config_cache: join(service.directory, 'npm'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    };
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });

let run: Run;

beforeAll(async () => {
  if (isLeftOut) return;
  await service.start();
  run = await typed(blocks.join('\n'));
}, 120_000);

afterAll(async () => {
  await service.stop();
  rmSync(service.directory, { recursive: true, force: true });
});

describe.skipIf(isLeftOut)(
  `the tour of the README${isLeftOut ? ` (left out: no ${missing.join(', no ')})` : ''}`,
  () => {
    it('runs to its end', () => {
      expect(blocks.length).toBeGreaterThan(8);
      expect(run.code, run.stderr + run.stdout).toBe(0);
    });

    it('takes both records where it says', () => {
      expect(run.stdout.match(/^(RECORDED|ACTIVE|ADVISORY_PASSED|FULFILLED)$/gm)).toEqual([
        'RECORDED',
        'ACTIVE',
        'ADVISORY_PASSED',
        'FULFILLED',
      ]);
    });

    it('shows bad evidence refused', () => {
      expect(run.stdout).toMatch(/"code":"SCHEMA_VALIDATION_ERROR".*\(refused, as it should be\)/);
    });

    it('ends with a valid export, one that cannot be judged without a key, a kept statement alone and held against an export, and a tampered one that is invalid', () => {
      expect(run.stdout.match(/^(VALID|CANNOT TELL|INVALID|exit code \d)/gm)).toEqual([
        'VALID',
        'exit code 0',
        'CANNOT TELL',
        'exit code 2',
        'VALID',
        'VALID',
        'INVALID',
        'exit code 1',
      ]);
      expect(run.stdout).toContain('VALID: 1 entry, signed, not shown to be on a chain');
      expect(run.stdout).toContain('passed   Kept statements stand in the chain (1)');
      expect(run.stdout).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH at position 3');
    });
  },
);
