import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a clone holds, without the tests. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/') && existsSync(path));

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'notary-clone-'));
  for (const path of tracked) cpSync(path, join(clone, path));
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  git('init', '--quiet');
  git('add', '--all');
  commit();
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();
const commit = (): void => void git('commit', '--quiet', '--allow-empty', '--message', 'one');
const head = (): string => git('rev-parse', 'HEAD');

const build = (env: NodeJS.ProcessEnv = {}): string => {
  const { status, stderr } = spawnSync('node', ['build/dist.js'], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(status, stderr).toBe(0);
  return stderr;
};

const built = (): { commit: string | null } =>
  JSON.parse(readFileSync(join(clone, 'dist', 'build.json'), 'utf8')) as { commit: string | null };

/** Each file of dist but build.json: its inode, its time and its bytes. */
const state = (): readonly string[] =>
  readdirSync(join(clone, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'build.json' && statSync(join(clone, 'dist', name)).isFile())
    .map((name) => {
      const path = join(clone, 'dist', name);
      const { ino, mtimeMs } = statSync(path);
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      return `${name} ${ino} ${mtimeMs} ${sha256}`;
    });

const version = (): string =>
  execFileSync('node', ['dist/config/main.js', '--version'], { cwd: clone, encoding: 'utf8' });

const unfinished = (): readonly string[] =>
  readdirSync(clone).filter((name) => name.startsWith('dist.'));

describe('a build', () => {
  it('says which commit it is, and that its sources differ from it', () => {
    expect(build()).toContain('Building dist');
    expect(version()).toContain(`+${head().slice(0, 12)}`);
    expect(version()).not.toContain('changed');
    expect(built().commit).toBe(head());
    expect(unfinished()).toEqual([]);
  });

  it('touches nothing if its sources are the same, and names the newest commit of them', () => {
    const before = state();
    expect(build()).toBe('');
    commit();
    expect(build()).toBe('');
    expect(version()).toContain(`+${head().slice(0, 12)}`);
    expect(state()).toEqual(before);
  });

  it('leaves what it would replace as it was when it is killed', async () => {
    const before = state();
    appendFileSync(join(clone, 'docs', 'guides', 'concepts.md'), '\nOne more sentence.\n');
    const child = spawn('node', ['build/dist.js'], { cwd: clone, detached: true, stdio: 'ignore' });
    const end = new Promise((done) => child.once('close', done));
    await expect
      .poll(() => unfinished().some((name) => existsSync(join(clone, name, 'docs'))))
      .toBe(true);
    process.kill(-child.pid!, 'SIGKILL');
    await end;
    expect(state()).toEqual(before);
    expect(unfinished()).toHaveLength(1);
  });

  it('names the commit that it is told, if it is no clone', () => {
    git('checkout', '--quiet', '.');
    rmSync(join(clone, '.git'), { recursive: true, force: true });
    build({ NOTARY_COMMIT: 'f'.repeat(40) });
    expect(built().commit).toBe('f'.repeat(40));
    build();
    expect(built().commit).toBeNull();
    expect(version().trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
