import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifyProgram } from '../../../adapters/cli/verify-program.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { TwoHubs, type TestSide } from '../../support/hubs/two-hubs.ts';

let folder: string;
let hubs: TwoHubs;
let home: string;
let mirror: string;
let early: string;

const pinOf = ({ hub }: TestSide): string => fingerprintOf(publicKeyFromSpki(hub.spki));

/** The form of `notary verify` that is one file, which is the same command. */
const run = async (...args: string[]) => {
  let [out, err] = ['', ''];
  const program = createVerifyProgram(
    { gateEvaluator: () => Promise.reject(new Error('no gates here')), apiKey: null },
    {
      stdout: (text) => void (out += text),
      print: () => Promise.resolve(),
      stderr: (text) => void (err += text),
      isTTY: false,
    },
    '0.0.0',
  );
  return { code: await program.run(args), out, err };
};

const write = async (name: string, document: AuditExport): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'with-'));
  hubs = await TwoHubs.start();
  await hubs.offer();
  early = await write('early.json', await hubs.export(hubs.mirror));
  await hubs.offerStep('accept');
  await hubs.applyStep('PROPOSAL_ACCEPTED', 'PROPOSED', 'ACTIVE');
  await hubs.tell();
  home = await write('home.json', await hubs.export(hubs.home));
  mirror = await write('mirror.json', await hubs.export(hubs.mirror));
});
afterAll(() => rm(folder, { recursive: true }));

describe('notary verify A --with B', () => {
  const pinned = () => ['--keys', pinOf(hubs.home), '--with-keys', pinOf(hubs.mirror)];

  it('is 0 where both hold and agree, with one time line of both', async () => {
    const { code, out } = await run(home, '--with', mirror, ...pinned());
    expect(code).toBe(0);
    expect(out).toContain('BOTH VALID');
    const lines = out.slice(out.indexOf('on both hubs, each by its own clock')).split('\n');
    const told = lines.flatMap((line) => /(home|mirror)\.json\s+#(\d+)/.exec(line)?.slice(1) ?? []);
    // The clock of the mirror is ahead here; what caused something stands before it all the same.
    expect(told.join(' ')).toBe(
      'home 1 mirror 1 mirror 2 mirror 3 home 2 home 3 mirror 4 mirror 5',
    );
  });

  it('is one JSON document, with the other report in `peer` and the time line', async () => {
    const { code, out } = await run(home, '--with', mirror, ...pinned(), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      subject: { hubId: hubs.home.hub.hubId },
      checks: { peerSide: { result: 'passed' } },
      peer: { file: mirror, verdict: 'valid', subject: { hubId: hubs.mirror.hub.hubId } },
      timeLine: {
        verified: true,
        steps: [
          { file: 'first', entryType: 'RECORD_PROPOSED' },
          ...Array.from({ length: 7 }, () => ({})),
        ],
      },
    });
  });

  it('is 1 where they contradict each other, and names the hub that signed both', async () => {
    const kept = hubs.mirror.out[0]!;
    hubs.mirror.out[0] = await hubs.signOther(hubs.mirror, kept, { ack: 0 });
    const lying = await write('lying.json', await hubs.export(hubs.mirror));
    hubs.mirror.out[0] = kept;
    const { code, out } = await run(home, '--with', lying, ...pinned());
    expect(code).toBe(1);
    expect(out).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(out).toContain(`hub ${hubs.mirror.hub.hubId} signed both`);
    expect(out).toMatch(/^INVALID: a file does not hold/m);
  });

  it('is 2 where one file is too old, and says which', async () => {
    const { code, out } = await run(home, '--with', early, ...pinned());
    expect(code).toBe(2);
    expect(out).toContain(`the file of hub ${hubs.mirror.hub.hubId} is too old`);
  });

  it('is 2 without keys for the other hub: the first one’s vouch for nothing there', async () => {
    const { code } = await run(home, '--with', mirror, '--keys', pinOf(hubs.home));
    expect(code).toBe(2);
    const swapped = await run(
      home,
      '--with',
      mirror,
      '--keys',
      pinOf(hubs.mirror),
      '--with-keys',
      pinOf(hubs.home),
    );
    expect(swapped.code).toBe(2);
  });

  it('is 2 in a sentence where it is called otherwise', async () => {
    for (const [args, why] of [
      [[home, mirror, '--with', mirror], 'give one file'],
      [[home, '--with-keys', pinOf(hubs.home)], '--with names'],
      [[home, '--with', join(folder, 'none.json'), ...pinned()], 'cannot be read'],
    ] as const) {
      const { code, err } = await run(...args);
      expect(code).toBe(2);
      expect(err).toContain(why);
    }
  });
});
