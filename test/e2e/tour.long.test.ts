import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { processesOf } from '../support/service/processes-of.ts';
import { Guide, Home, type Ended } from '../support/runner/guide.ts';

/**
 * Runs the README as it is written: every `sh` block of the tour, top to bottom, in one shell, in a clone that is built.
 * The commands of the operator are not part of it.
 */
const readme = Guide.of('README.md');
const beforeOperating = readme.between('', '## Operating it');
const blocks = readme.between('<!-- tour -->', '<!-- /tour -->').blocks('sh');

/** A reader has these; a bare machine with Node may not. The full check, which sets REQUIRE_MYSQL, leaves nothing out. */
const missing = ['bash', 'curl'].filter(
  (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error,
);
const isLeftOut = missing.length > 0 && process.env['REQUIRE_MYSQL'] !== '1';

/** As the build left it: npx makes a program executable only where it meets the clone for the first time. */
const builtMode = statSync('dist/config/main.js').mode;

const home = new Home();

let run: Ended;
/** What the tour itself prints, after the demo of its first block. */
let said = '';

beforeAll(async () => {
  if (isLeftOut) return;
  run = await home.bash(blocks.join('\n'));
  said = run.stdout.slice(run.stdout.indexOf('npx notary verify'));
}, 180_000);

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
      expect((await home.bash(stop!)).code).toBe(0);
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
      const [block, ...others] = beforeOperating.blocks('bash');
      expect(others).toEqual([]);
      const { code, stdout, stderr } = await home.bash(
        `${blocks.find((text) => text.includes('DEMO=$('))!}
         ORG=$(get orgId <<< "$DEMO")
         ADMIN_KEY=$(get adminKey <<< "$DEMO")
         ${block!}
         kill "$(get pid <<< "$DEMO")"`,
      );
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ settings: { requireCoSignature: 'request' } });
    });

    it.skipIf(process.platform !== 'linux')('leaves no process and no file', async () => {
      await expect.poll(() => processesOf(home.path)).toEqual([]);
      expect(readdirSync(home.path).filter((name) => name.startsWith('notary-demo-'))).toEqual([]);
    });
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
    expect(beforeOperating.blocks('console')).toEqual([
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
