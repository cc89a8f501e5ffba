import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processesOf } from '../support/processes-of.ts';
import { hasTools } from '../support/tools.ts';
import { blocksOf, typed } from '../support/typed.ts';

const home = mkdtempSync(join(tmpdir(), 'notary-quick-start-'));
afterAll(() => {
  for (const pid of processesOf(home)) process.kill(Number(pid), 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe.skipIf(!hasTools('bash', 'curl'))('the guide "Quick start"', () => {
  it('works as it stands there, from a service to a verified record, and leaves nothing behind', async () => {
    const blocks = blocksOf(readFileSync('docs/guides/quick-start.md', 'utf8'), 'sh');
    expect(blocks).toHaveLength(6);
    const { code, stdout, stderr } = await typed(blocks.join('\n'), home);
    expect([code, stderr], stdout).toEqual([0, expect.any(String)]);
    expect(stdout).toMatch(
      /\nRECORDED\n[0-9a-f]{64}\n[^]*\nVALID: 1 entr[^]*\nINVALID[^]*exit code 1\n/,
    );
    await expect
      .poll(
        () => [
          processesOf(home),
          readdirSync(home).filter((name) => name.startsWith('notary-demo-')),
        ],
        {
          timeout: 10_000,
        },
      )
      .toEqual([[], []]);
  }, 60_000);
});
