import { expect, it } from 'vitest';
import { createProgram, type Commands } from '../../../adapters/cli/program.ts';
import type { ScanOutcome } from '../../../adapters/cli/scan.ts';

const HEALTHY: ScanOutcome = {
  healthy: 3,
  broken: 0,
  signatureErrors: 0,
  brokenRecords: [],
  omitted: 0,
  entries: 12,
  chains: 3,
  durationMs: 1_240,
};
const BROKEN: ScanOutcome = {
  ...HEALTHY,
  healthy: 2,
  broken: 1,
  omitted: 4,
  brokenRecords: [
    {
      chainKey: '0190b6f2-5a6e-7c3d-8e4f-2a1b3c4d5e6f',
      position: 2,
      reason: 'payload_drift',
      class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
      detail: 'records: status',
    },
  ],
};

const run = async (outcome: ScanOutcome, ...args: string[]): Promise<[number, string]> => {
  let said = '';
  const io = {
    stdout: (text: string) => void (said += text),
    stderr: () => undefined,
    stdin: () => Promise.resolve(new Uint8Array()),
    isTTY: false,
  };
  const commands = { scan: () => Promise.resolve(outcome) } as unknown as Commands;
  const code = await createProgram(commands, io as never, '0.1.0').run(['scan', ...args]);
  return [code, said];
};

it('ends with 0 where all is healthy', async () => {
  expect(await run(HEALTHY)).toEqual([
    0,
    '12 entries of 3 chains in 1.2 s: 3 healthy, 0 broken, 0 entries without a valid signature.\n',
  ]);
});

it('ends with 1 where something is broken, and names it', async () => {
  const [code, said] = await run(BROKEN);
  expect(code).toBe(1);
  expect(said).toContain(
    '0190b6f2-5a6e-7c3d-8e4f-2a1b3c4d5e6f at 2: payload_drift (CHAIN_PAYLOAD_BINDING_MISMATCH), records: status\n4 more are not listed.\n',
  );
});

it('prints the outcome as JSON', async () => {
  const [code, said] = await run(BROKEN, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(said)).toEqual(BROKEN);
});
