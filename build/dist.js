/**
 * Makes `dist`, and ends at once if `dist` was made of the same sources already: npm runs this before each `npx notary` in
 * a clone. The files are written into a folder beside `dist` that takes its place at the end, so an interrupted build
 * leaves the old one, and a service that runs never sees half of the new one.
 *
 * `dist/build.json` holds the SHA-256 of the sources and the commit they belong to: that of the git clone, else that of
 * NOTARY_COMMIT, which the image is given, else null.
 *
 * @example node build/dist.js
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join, sep } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** What a build reads, besides the libraries, which package-lock.json names. Folders end with a slash. */
const SOURCES = [
  'adapters/',
  'application/',
  'build/',
  'config/',
  'docs/',
  'domain/',
  'proto/',
  'buf.gen.yaml',
  'buf.yaml',
  'bundle-client.js',
  'bundle-service.js',
  'bundle.js',
  'only-version.js',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];
/** The build makes it itself, of `proto`. */
const GENERATED = join('adapters', 'grpc', 'generated') + sep;

/** Folders of builds that were killed are removed after this time, ms. */
const LEFT_OVER_MS = 3_600_000;

const filesOf = async (name) => {
  if (!name.endsWith('/')) return [name];
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(GENERATED));
};

const sourcesHash = async () => {
  const paths = (await Promise.all(SOURCES.map(filesOf))).flat().toSorted();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
};

const git = (...args) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** 40 hex digits, with `.changed` if the sources differ from those of the commit; null if nobody knows it. */
const commitOf = () => {
  try {
    // A folder within the clone of another project is no clone of this one.
    if (git('rev-parse', '--show-prefix') !== '') throw new Error('not a clone');
    const isChanged = git('status', '--porcelain', '--', ...SOURCES) !== '';
    return git('rev-parse', 'HEAD') + (isChanged ? '.changed' : '');
  } catch {
    return process.env['NOTARY_COMMIT'] || null;
  }
};

const readBuild = async () => {
  try {
    return JSON.parse(await readFile(join(dist, 'build.json'), 'utf8'));
  } catch {
    return null;
  }
};

const writeBuild = async (folder, build) => {
  const path = join(folder, 'build.json');
  await writeFile(`${path}.${process.pid}`, `${JSON.stringify(build, null, 2)}\n`);
  await rename(`${path}.${process.pid}`, path);
};

const run = (command, ...args) => {
  const PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH };
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
};

/** Another build may do the same at the same time: the last one stays. */
const takePlace = async (made) => {
  for (let attempt = 0; ; attempt++) {
    const old = `${made}.old${attempt}`;
    await rename(dist, old).catch(ignoreAbsence);
    try {
      await rename(made, dist);
      return;
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempt === 9) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
};
const ignoreAbsence = (error) => {
  if (error.code !== 'ENOENT') throw error;
};

const removeLeftOvers = async () => {
  for (const name of await readdir(root)) {
    if (!name.startsWith('dist.')) continue;
    const path = join(root, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { recursive: true, force: true });
  }
};

const make = async (build) => {
  process.stderr.write('Building dist, because its sources have changed.\n');
  await removeLeftOvers();
  const made = await mkdtemp(`${dist}.`);
  try {
    await chmod(made, 0o755);
    run('buf', 'generate');
    run('node', 'bundle-service.js', made);
    run('node', 'bundle.js', join(made, 'docs'));
    run('node', 'bundle-client.js', join(made, 'client'));
    run('node', join(made, 'config', 'write-documents.js'));
    await writeBuild(made, build);
    await takePlace(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
};

const build = { sources: await sourcesHash(), commit: commitOf() };
const existing = await readBuild();
if (existing?.sources !== build.sources) await make(build);
else if (existing.commit !== build.commit) await writeBuild(dist, build);
