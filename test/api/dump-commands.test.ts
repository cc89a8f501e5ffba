import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram, type Commands } from '../../adapters/cli/program.ts';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { DUMP_FILES } from '../../domain/verification/dump/rows/dump-rows.ts';
import { oneLane } from '../../domain/verification/dump/lane-work.ts';
import { databases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const rig = new VaultRig(databases()[0]!, { CHECKPOINT_INTERVAL: '1440' });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notary-dump-'));
  await rig.prepare();
});
afterAll(async () => {
  await rig.end();
  await rm(folder, { recursive: true });
});

/** The program, on a service of its own; `fails` ends a dump after its first file. */
const run = (
  args: readonly string[],
  { fails = false, isTTY = false } = {},
): Promise<{ code: number; out: string; err: string }> =>
  rig.run(async ({ container, vault }) => {
    let [out, err] = ['', ''];
    const io = {
      stdout: (text: string) => void (out += text),
      stderr: (text: string) => void (err += text),
      print: () => Promise.resolve(),
      isTTY,
    };
    const dump: Commands['dump'] = async (_io, { withRound, write }) => {
      let count = 0;
      const taken = await container.get(TakeDump).execute({
        withRound,
        write: (file, rows) => {
          if (fails && count++ > 0) return Promise.reject(new Error('the disk is full'));
          return write(file, rows);
        },
      });
      return { ...taken, signingKeyFingerprint: vault.fingerprint };
    };
    const dumpLanes: Commands['dumpLanes'] = () => Promise.resolve(oneLane(null));
    const code = await createProgram({ dump, dumpLanes } as Commands, io, '0').run(args);
    return { code, out, err };
  });

/** Anchors the newest round of a service. @returns the path of the file. */
const anchorOf = async (of: VaultRig): Promise<string> => {
  await of.run(async ({ container }) => {
    await container.get(CheckpointRound).run();
    await container.get(AnchorSweep).run();
  });
  const anchors = join(of.directory, 'data-anchors', 'anchors', PLATFORM_CHAIN);
  return join(anchors, (await readdir(anchors))[0]!);
};

describe('notary dump and notary verify of its folder', () => {
  it('writes six files for their owner alone, and prints the command that verifies them', async () => {
    const directory = join(folder, 'one');
    const dumped = await run(['dump', '--out', directory]);
    expect(dumped).toMatchObject({ code: 0, err: '' });
    expect((await readdir(directory)).sort()).toEqual(
      DUMP_FILES.map((file) => `${file}.ndjson`).sort(),
    );
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(directory))
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);

    const command = /Verify it with: notary (verify .*)\n/.exec(dumped.out)![1]!.split(' ');
    const verified = await run(command);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toMatch(/^Dump of the vault\n/);
    expect(verified.out).toMatch(/\nVALID: \d+ entries, complete as of /);
    const json = await run([...command, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      verdict: 'valid',
      subject: { kind: 'dump', dump: { chains: 2 } },
    });
    expect((await run(['verify', directory])).code).toBe(2);
  });

  it('takes an anchor as the key to trust, and "cannot tell" where it is of another service', async () => {
    const directory = join(folder, 'anchored');
    await run(['dump', '--out', directory]);
    const verified = await run(['verify', directory, '--keys', await anchorOf(rig)]);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toContain(', which signed the anchor at ');
    const other = new VaultRig(databases()[0]!);
    await other.prepare();
    try {
      const foreign = await run(['verify', directory, '--keys', await anchorOf(other)]);
      expect(foreign.code).toBe(2);
      expect(foreign.out).toMatch(/you trust {2}[0-9a-f]{32}/);
    } finally {
      await other.end();
    }
  });

  it('is INVALID and exit code 1 where a file was changed, exit code 2 on a wrong option', async () => {
    const directory = join(folder, 'two');
    const taken = JSON.parse((await run(['dump', '--out', directory, '--json'])).out) as Body;
    const keys = `sha256:${String(taken['signingKeyFingerprint'])}`;
    const path = join(directory, 'audit_vault.ndjson');
    const { size } = await stat(path);
    await truncate(path, size - 100);
    const verified = await run(['verify', directory, '--keys', keys]);
    expect(verified.code).toBe(1);
    expect(verified.out).toContain('CHAIN_COSE_DECODE_FAILED');
    const refused = await run(['verify', directory, '--keys', keys, '--expect-root', 'abc']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('--expect-root');
    const file = join(folder, 'export.json');
    await writeFile(file, '{}');
    expect((await run(['verify', file, '--expect-root', 'ab'.repeat(32)])).err).toContain(
      '--expect-root is held against a dump',
    );
  });

  it('holds a statement that somebody kept against the dump, and names its file', async () => {
    const directory = join(folder, 'held');
    const statement = await rig.run(async (service) => {
      const client = rig.at(service, rig.world.principal.client);
      const note = { type: 'note', criteria: { text: 'kept' } };
      return (await ok(client.post('/v1/records', note)))['signedStatement'];
    });
    const kept = join(folder, 'kept.json');
    await writeFile(kept, JSON.stringify(statement));
    const taken = JSON.parse((await run(['dump', '--out', directory, '--json'])).out) as Body;
    const keys = `sha256:${String(taken['signingKeyFingerprint'])}`;
    const held = await run(['verify', directory, '--keys', keys, '--kept', kept]);
    expect(held).toMatchObject({ code: 0, err: '' });
    expect(held.out).toContain(`${kept}: the entry at position 1 is the kept statement`);
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{');
    const both = ['--kept', kept, '--kept', broken, '--json'];
    const json = await run(['verify', directory, '--keys', keys, ...both]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out)).toMatchObject({
      verdict: 'valid',
      kept: [
        { file: kept, result: 'passed' },
        { file: broken, result: 'skipped_no_input' },
      ],
    });
    const missing = await run(['verify', directory, '--keys', keys, '--kept', join(folder, 'no')]);
    expect(missing).toMatchObject({ code: 2, out: '' });
  });

  it('replaces no file, and leaves none behind where it fails', async () => {
    const directory = join(folder, 'three');
    const failed = await run(['dump', '--out', directory], { fails: true });
    expect(failed).toMatchObject({ code: 1, err: 'notary: the disk is full\n' });
    expect(await readdir(directory)).toEqual([]);
    expect((await run(['dump', '--out', directory, '--no-seal'])).code).toBe(0);
    const before = await readFile(join(directory, 'audit_vault.ndjson'), 'utf8');
    const again = await run(['dump', '--out', directory]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('is not empty');
    expect(await readFile(join(directory, 'audit_vault.ndjson'), 'utf8')).toBe(before);
    expect((await run(['dump'])).code).toBe(2);
  });
});
