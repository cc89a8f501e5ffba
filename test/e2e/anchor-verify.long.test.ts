import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { SickNotary } from '../support/service/sick-notary.ts';

const PLATFORM = '00000000-0000-0000-0000-000000000000';
const notary = new SickNotary();

beforeAll(() => notary.prepare());
afterAll(() => notary.remove());

const verify = (
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      [resolve('dist/config/main.js'), 'anchor', 'verify', ...args],
      {
        cwd: notary.directory,
        env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...notary.env },
      },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

describe('notary anchor verify', () => {
  it('exits 2 where nothing was anchored yet', async () => {
    expect(await verify()).toEqual({ code: 2, stdout: 'Nothing was anchored yet.\n', stderr: '' });
  });

  it('exits 0 where the anchors match, 1 where one was changed or is gone, and names it', async () => {
    await notary.open(async ({ container }) => {
      await container.get(CheckpointRound).run();
      await container.get(AnchorSweep).run();
    });
    const well = await verify('--json');
    expect([well.code, well.stderr]).toEqual([0, '']);
    expect(JSON.parse(well.stdout)).toContainEqual({
      chainKey: PLATFORM,
      position: expect.any(Number) as unknown,
      match: true,
      detail: null,
    });
    const folder = join(notary.anchors, 'anchors', PLATFORM);
    const [name] = readdirSync(folder);
    const file = join(folder, name!);
    chmodSync(file, 0o600);
    writeFileSync(file, 'another object');
    const changed = await verify('--record', PLATFORM);
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^0{8}-.* at \d+: the object is not the checkpoint .*\n1 anchors: 0 match, 1 do not\.\n$/,
      ),
    ]);
    rmSync(file);
    expect((await verify()).stdout).toContain('recorded as anchored, and missing in the store');
  });

  it('exits 2 on a record that is none', async () => {
    expect((await verify('--record', 'x')).code).toBe(2);
    expect((await verify('--most', '0')).code).toBe(2);
  });
});
