import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImportInput, ImportOutcome } from '../../../adapters/cli/import-config.ts';
import { createProgram, type Commands } from '../../../adapters/cli/program.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const URL = 'sqlite://a.sqlite';
const OUTCOME: ImportOutcome = {
  dryRun: false,
  source: {
    hubId: '0190b6f2-5a6e-7c3d-8e4f-2a1b3c4d5e6f',
    signingKeyFingerprint: 'ab'.repeat(32),
    platformEntries: 12,
    newestEntryAt: '2026-03-01T10:00:00.000Z',
  },
  orgs: { created: 2, present: 1 },
  agents: { created: 3, present: 0 },
  recordTypes: { created: 4, present: 0 },
  findings: [],
  operatorsLeftOut: 1,
  signingKeyFingerprint: 'cd'.repeat(32),
};
const FINDING = {
  code: 'row-unknown',
  kind: 'agent',
  subject: 'somebody',
  message: 'It has no entry.',
  carried: false,
};

const run = async (outcome: ImportOutcome | Error, ...args: string[]) => {
  let said = '';
  let failed = '';
  let input: ImportInput | undefined;
  const io = {
    stdout: (text: string) => void (said += text),
    stderr: (text: string) => void (failed += text),
    isTTY: false,
  };
  const importConfig = (_: unknown, given: ImportInput): Promise<ImportOutcome> => {
    input = given;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  const program = createProgram({ importConfig } as unknown as Commands, io as never, '0.1.0');
  return { code: await program.run(['import-config', ...args]), said, failed, input };
};

it('says what was made, and how keys are', async () => {
  const { code, said, input } = await run(OUTCOME, '--from', URL);
  expect([code, input]).toEqual([0, { from: URL, isDryRun: false }]);
  expect(said).toContain('orgs          2 made, 1 already there\nagents        3 made\n');
  expect(said).toContain('notary keys mint');
  expect(said).toContain(`sha256:${'cd'.repeat(32)}`);
});

it('ends with 3 where the source was not as its chains say, and names at most fifty findings', async () => {
  const many = { ...OUTCOME, dryRun: true, findings: Array(60).fill(FINDING) as never };
  const { code, said } = await run(many, '--from', URL, '--dry-run');
  expect(code).toBe(3);
  expect(said).toContain('2 would be made');
  expect(said.match(/row-unknown: agent somebody\n {2}It has no entry\./g)).toHaveLength(50);
  expect(said).toContain('10 more: --json names them.\n60 findings; 60 things are left out.');
  const json = await run(many, '--from', URL, '--json');
  expect([json.code, JSON.parse(json.said)]).toEqual([3, many]);
});

it('ends with 1 where it is refused, and with 2 where the command line is wrong', async () => {
  const refused = await run(new NotaryError('CONFLICT', 'It is in use.'), '--from', URL);
  expect([refused.code, refused.said]).toEqual([1, '']);
  expect(refused.failed).toContain('notary: It is in use.');
  expect((await run(OUTCOME)).code).toBe(2);
  const pin = await run(OUTCOME, '--from', URL, '--fingerprint', 'abc');
  expect([pin.code, pin.input]).toEqual([2, undefined]);
  const given = await run(OUTCOME, '--from', URL, '--fingerprint', `sha256:${'AB'.repeat(32)}`);
  expect(given.input).toEqual({ from: URL, fingerprint: 'ab'.repeat(32), isDryRun: false });
});

it('reads what is in files: a URL with its password, and a secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notary-import-'));
  try {
    const [url, secret] = [join(folder, 'url'), join(folder, 'secret')];
    writeFileSync(url, `${URL}\n`);
    writeFileSync(secret, 'abc');
    const read = await run(OUTCOME, '--from', `@${url}`, '--source-secrets-key', secret);
    expect(read.input).toEqual({ from: URL, secretsKey: 'abc', isDryRun: false });
    const missing = await run(OUTCOME, '--from', `@${url}.none`);
    expect([missing.code, missing.input]).toEqual([1, undefined]);
    expect(missing.failed).toContain('--from: ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
