import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOnVolumeOf } from '../../adapters/anchor/filesystem/volume.ts';
import type { Examination } from '../../config/doctor/finding.ts';
import { databases } from '../support/databases/databases.ts';
import { SickNotary } from '../support/service/sick-notary.ts';

const PROGRAM = resolve('dist/config/main.js');
const NOBODY = 65_534;

let sick: SickNotary;
beforeEach(async () => {
  sick = await new SickNotary().prepare();
});
afterEach(() => sick.remove());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a process of its own, in the folder of the notary. */
const run = (
  command: readonly [string, ...string[]],
  {
    env = {},
    uid,
  }: { readonly env?: Readonly<Record<string, string>>; readonly uid?: number } = {},
): Promise<Ended> =>
  new Promise((done) => {
    const [file, ...args] = command;
    execFile(
      file,
      args,
      {
        cwd: sick.directory,
        env: { PATH: process.env['PATH'], ...sick.env, ...env },
        ...(uid === undefined ? {} : { uid, gid: uid }),
      },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const doctor = (
  options: Parameters<typeof run>[1] = {},
  ...args: readonly string[]
): Promise<Ended> => run([process.execPath, PROGRAM, 'doctor', ...args], options);

const inBash = (script: string): Promise<Ended> => run(['bash', '-c', script]);

const codesOf = ({ stdout }: Ended): readonly string[] =>
  (JSON.parse(stdout) as Examination).findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ code }) => code);

/** The clock of the process alone, by so many milliseconds. */
const shifted = (ms: number): Readonly<Record<string, string>> => {
  const script = `const now = Date.now; const RealDate = Date; Date.now = () => now() + (${ms}); globalThis.Date = class extends RealDate { constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); } };`;
  return {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`,
  };
};

const canMount = (): boolean => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('notary doctor', () => {
  it('exits 0 where all is well, 1 with what to do where something is found, 2 where it could not look', async () => {
    if (await isOnVolumeOf(sick.anchors, `sqlite://${sick.file}`)) return;
    const well = await doctor();
    expect([well.code, well.stderr]).toEqual([0, '']);
    expect(well.stdout).toMatch(/^note {4}fingerprint: sha256:[0-9a-f]{64}$/m);
    expect(well.stdout).toContain('0 faults, 0 pieces of advice, 0 things not looked at.');

    const advised = await doctor({ env: { ANCHOR: 'none' } });
    expect([advised.code, advised.stderr]).toEqual([1, '']);
    expect(advised.stdout).toMatch(
      /^advice {2}anchors-none: ANCHOR\n {8}No copy .*Set ANCHOR to s3/m,
    );

    // A row that the service would not believe.
    sick.edit("UPDATE api_keys SET label = 'edited'");
    const blind = await doctor({}, '--json');
    expect(codesOf(blind)).toEqual([]);
    expect((JSON.parse(blind.stdout) as Examination).skipped).toContainEqual({
      check: 'platform keys',
      reason: expect.any(String) as unknown,
    });
    expect(blind.code).toBe(2);
    expect((await doctor({}, '--nonsense')).code).toBe(2);
  });

  it('finds a clock that is behind what was sealed', async () => {
    const { code, ...ended } = await doctor({ env: shifted(-3_600_000) }, '--json');
    expect(code).toBe(1);
    expect(codesOf({ code, ...ended })).toContain('clock-behind');
  });

  it('finds that too few files may be open', async () => {
    const ended = await inBash(`ulimit -n 1024; exec ${process.execPath} ${PROGRAM} doctor --json`);
    expect(codesOf(ended)).toContain('open-files-too-few');
    expect(ended.stdout).toContain('may have 1024 files');
  });

  it.skipIf(process.getuid?.() !== 0 || !canMount())(
    'finds a volume that is nearly full (skipped where this user may mount none)',
    async () => {
      const full = sick.path('full');
      mkdirSync(full, { mode: 0o700 });
      const ended = await run([
        'unshare',
        '-m',
        'bash',
        '-c',
        `mount -t tmpfs -o size=16m,mode=0700 tmpfs ${full} && head -c 15500000 /dev/zero > ${full}/fill && ANCHOR_PATH=${full} exec ${process.execPath} ${PROGRAM} doctor --json`,
      ]);
      expect(codesOf(ended), ended.stderr).toEqual(['disk-nearly-full']);
      expect(ended.stdout).toContain('ANCHOR_PATH');
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    'finds what the user of the service may not write (skipped where this user cannot become another one)',
    async () => {
      chmodSync(sick.directory, 0o755);
      for (const path of [
        sick.path('data'),
        ...readdirSync(sick.path('data')).map((name) => join(sick.path('data'), name)),
      ])
        chownSync(path, NOBODY, NOBODY);
      const ended = await doctor({ uid: NOBODY }, '--json');
      expect(codesOf(ended), ended.stderr).toContain('place-not-writable');
      const named = (JSON.parse(ended.stdout) as Examination).findings.filter(
        ({ code }) => code === 'place-not-writable',
      );
      expect(named).toMatchObject([{ subject: 'ANCHOR_PATH' }]);
    },
  );
});

describe.each(databases().filter(({ name }) => name === 'mysql'))('on $name', (kind) => {
  it('finds clocks that differ', async () => {
    const database = await kind.open({ migrated: false });
    try {
      sick.env['DATABASE_URL'] = database.url;
      await sick.prepare();
      const ended = await doctor({ env: shifted(3_600_000) }, '--json');
      expect(codesOf(ended), ended.stderr).toContain('clock-skew');
      expect(ended.stdout).toMatch(/The clock of MySQL is 3\d{3}(\.\d+)? s behind/);
      expect(codesOf(await doctor({}, '--json'))).not.toContain('clock-skew');
    } finally {
      await database.drop();
    }
  });
});
