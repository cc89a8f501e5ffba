import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { processesOf } from '../support/processes-of.ts';
import { blocksOf, typed, type Typed } from '../support/typed.ts';

/**
 * The README, typed as it stands there: every `sh` block of the tour, top to bottom, in one shell, on nothing but a clone
 * that is built. What the operator types is not part of it.
 */
const readme = readFileSync('README.md', 'utf8');
const tour = readme.slice(readme.indexOf('<!-- tour -->'), readme.indexOf('<!-- /tour -->'));
const beforeOperating = readme.slice(0, readme.indexOf('## Operating it'));
const blocks = blocksOf(tour, 'sh');

/** A reader has these; a bare machine with Node may not. The full check, which sets REQUIRE_MYSQL, leaves nothing out. */
const missing = ['bash', 'curl'].filter(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error,
);
const isLeftOut = missing.length > 0 && process.env['REQUIRE_MYSQL'] !== '1';

/** As the build left it: npx makes a program executable only where it meets the clone for the first time. */
const builtMode = statSync('dist/config/main.js').mode;

const home = mkdtempSync(join(tmpdir(), 'notary-tour-'));

let run: Typed;
/** What the tour itself prints, after the demo of its first block. */
let said = '';

beforeAll(async () => {
  if (isLeftOut) return;
  run = await typed(blocks.join('\n'), home);
  said = run.stdout.slice(run.stdout.indexOf('npx notary verify'));
}, 180_000);

afterAll(() => {
  for (const id of processesOf(home)) process.kill(Number(id), 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe.skipIf(isLeftOut)(
  `the README, in its own order${isLeftOut ? ` (left out: no ${missing.join(', no ')})` : ''}`,
  () => {
    it('runs to its end', () => {
      expect(blocks.length).toBeGreaterThan(15);
      expect(run.code, run.stderr + run.stdout).toBe(0);
    });

    it('begins with a demo that stays, and says how it is stopped', async () => {
      expect(blocks[0]).toBe('npm run demo -- --keep\n');
      const stop = /^ {2}(kill \d+)$/m.exec(run.stdout)?.[1];
      expect(stop, run.stdout).toBeDefined();
      expect((await typed(stop!, home)).code).toBe(0);
    });

    it('takes the records where it says', () => {
      expect(said.match(/^(RECORDED|ACTIVE|ADVISORY_PASSED|FULFILLED)$/gm)).toEqual([
        'RECORDED',
        'ACTIVE',
        'ADVISORY_PASSED',
        'FULFILLED',
        'RECORDED',
      ]);
    });

    it('shows bad evidence refused', () => {
      expect(said).toMatch(/"code":"SCHEMA_VALIDATION_ERROR".*\(refused, as it should be\)/);
    });

    it('shows a repeated call that acted once, and the page of a problem', () => {
      const ids = said.match(/^[0-9a-f]{8}-[0-9a-f-]{27}$/gm) ?? [];
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
      expect(said).toMatch(/^Correct the members listed in errors; examplePayload/m);
      expect(said).toContain('{"type":"/problems/schema-validation-error","codes":[');
    });

    it('ends with a valid export, one that cannot be judged without a key, a kept statement alone and held against an export, and a tampered one that is invalid', () => {
      expect(said.match(/^(VALID|CANNOT TELL|INVALID|exit code \d)/gm)).toEqual([
        'VALID',
        'exit code 0',
        'VALID',
        'CANNOT TELL',
        'exit code 2',
        'VALID',
        'VALID',
        'VALID',
        'INVALID',
        'exit code 1',
      ]);
      expect(said).toContain('VALID: 1 entry, signed, not shown to be on a chain');
      expect(said).toContain('passed   Kept statements stand in the chain (1 statement)');
      expect(said).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH at position 3');
    });

    it('goes on with the variables of the tour', async () => {
      const [block, ...others] = blocksOf(beforeOperating, 'bash');
      expect(others).toEqual([]);
      const { code, stdout, stderr } = await typed(
        `${blocks.find((text) => text.includes('DEMO=$('))!}
         ORG=$(get orgId <<< "$DEMO")
         ADMIN_KEY=$(get adminKey <<< "$DEMO")
         ${block!}
         kill "$(get pid <<< "$DEMO")"`,
        home,
      );
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ settings: { requireCoSignature: 'request' } });
    }, 60_000);

    it.skipIf(process.platform !== 'linux')(
      'leaves no process and no file',
      async () => {
        await expect.poll(() => processesOf(home), { timeout: 15_000 }).toEqual([]);
        expect(readdirSync(home).filter((name) => name.startsWith('notary-demo-'))).toEqual([]);
      },
      20_000,
    );
  },
);

describe.skipIf(process.platform === 'win32')('npx notary', () => {
  it('finds a program that may be executed', () => {
    expect(builtMode & 0o111).toBe(0o111);
  });
});

describe('the other commands of the README, up to what the operator types', () => {
  const ci = readFileSync('.ci/run', 'utf8');

  it('are those that the full check runs, and the start of the service', () => {
    expect(blocksOf(beforeOperating, 'console')).toEqual([
      'npm ci && npm run demo\n',
      'npm start\n',
      'npm ci && npm test\n',
    ]);
    for (const command of ['npm ci', 'npm test', 'npm run --silent demo'])
      expect(ci).toMatch(new RegExp(`^(?:timeout \\d+ )?${command}( |$)`, 'm'));
    // What the process tests run, on a terminal too (start.test.ts).
    expect(packageJson.scripts.start).toBe('node dist/config/main.js serve');
  });
});
