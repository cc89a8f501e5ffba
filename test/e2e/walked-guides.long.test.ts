import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../adapters/cli/shell/shell-error.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import { processesOf } from '../support/service/processes-of.ts';

interface WalkedGuide {
  readonly name: string;
  readonly does: string;
  readonly blocks: number;
  readonly prints: readonly RegExp[];
}

const GUIDES: readonly WalkedGuide[] = [
  {
    name: 'quick-start',
    does: 'from a service to a verified record',
    blocks: 6,
    prints: [/\nRECORDED\n[0-9a-f]{64}\n[^]*\nVALID: 1 entr[^]*\nINVALID[^]*exit code 1\n/],
  },
  {
    name: 'ten-minutes',
    does: 'from a clone to a dispute',
    blocks: 8,
    prints: [
      /^RECORDED {2}[0-9a-f-]{36}$/m,
      /^verified {2}signed by sha256:[0-9a-f]{64}$/m,
      /^active {2}build, version 1/m,
      /^ACTIVE {2}/m,
      /^FULFILLED {2}/m,
      /^VALID: 5 entries/m,
      /^INVALID[^]*exit code 1$/m,
      /^EVIDENCE_WINDOW/m,
    ],
  },
];

describe.skipIf(!hasTools('bash', 'curl')).each(GUIDES)(
  'the guide $name',
  ({ name, does, blocks, prints }) => {
    const home = new Home();

    it(`works as it is written, ${does}, and leaves nothing behind`, async () => {
      const commands = Guide.of(name).blocks('sh');
      expect(commands).toHaveLength(blocks);
      const { code, stdout, stderr } = await home.bash(commands.join('\n'));
      expect([code, stderr], stdout).toEqual([0, expect.any(String)]);
      for (const line of prints) expect(stdout).toMatch(line);
      const left = (): readonly string[] => [
        ...processesOf(home.path),
        ...readdirSync(home.path).filter((entry) => entry.startsWith('notary-demo-')),
      ];
      await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    }, 300_000);
  },
);

describe('the guide "Ten minutes in a shell"', () => {
  it('names every exit code, and no other', () => {
    const named = [...Guide.of('ten-minutes').text.matchAll(/^\| (\d) \|/gm)];
    expect(named.map(([, code]) => Number(code))).toEqual(Object.values(EXIT));
  });
});
