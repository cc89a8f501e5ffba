import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** For a process of Node: it lists what it loads into this file. */
export const listingInto = (file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${pathToFileURL('test/support/service/list-loaded.mjs').href}`,
  LOADED_INTO: file,
});

/** What was loaded, as files of this repository and names of packages: a bundle is what its source map says. */
export const loadedSources = (file: string): { own: readonly string[]; packages: string[] } => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const paths = lines.filter((line) => line.startsWith('file:')).map((line) => fileURLToPath(line));
  const all = new Set(paths.flatMap(sourcesOf));
  const names = [...all].flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  return {
    own: [...all].filter((path) => !PACKAGE.test(path)),
    packages: [...new Set(names)].toSorted(),
  };
};

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;

const sourcesOf = (path: string): readonly string[] => {
  if (!existsSync(`${path}.map`) || path.includes('node_modules')) return [relative('.', path)];
  const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] };
  return sources.map((source) => relative('.', resolve(dirname(path), source)));
};
