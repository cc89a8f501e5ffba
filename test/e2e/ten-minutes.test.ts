import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../adapters/cli/shell/shell-error.ts';
import { processesOf } from '../support/processes-of.ts';
import { hasTools } from '../support/tools.ts';
import { blocksOf, typed } from '../support/typed.ts';

const home = mkdtempSync(join(tmpdir(), 'notary-ten-minutes-'));
const guide = readFileSync('docs/guides/ten-minutes.md', 'utf8');
afterAll(() => {
  for (const pid of processesOf(home)) process.kill(Number(pid), 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe('the guide "Ten minutes in a shell"', () => {
  it('names every exit code, and no other', () => {
    const named = [...guide.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
    expect(named).toEqual(Object.values(EXIT));
  });

  it.skipIf(!hasTools('bash'))(
    'works as it stands there, from a clone to a dispute, and leaves nothing running',
    async () => {
      const blocks = blocksOf(guide, 'sh');
      expect(blocks).toHaveLength(8);
      const { code, stdout, stderr } = await typed(blocks.join('\n'), home);
      expect([code, stderr], stdout).toEqual([0, expect.any(String)]);
      for (const said of [
        /^RECORDED {2}[0-9a-f-]{36}$/m,
        /^verified {2}signed by sha256:[0-9a-f]{64}$/m,
        /^active {2}build, version 1/m,
        /^ACTIVE {2}/m,
        /^FULFILLED {2}/m,
        /^VALID: 5 entries/m,
        /^INVALID[^]*exit code 1$/m,
        /^EVIDENCE_WINDOW/m,
      ])
        expect(stdout).toMatch(said);
      await expect.poll(() => processesOf(home), { timeout: 60_000 }).toEqual([]);
    },
    300_000,
  );
});
