import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leavingPaths } from '../support/runner/leaving-paths.ts';

/** Code, scripts and their settings. A script may have no suffix. */
const READS_FILES = /(?:\.(?:[cm]?[jt]sx?|sh|json|ya?ml)|(?:^|\/)[\w-]+)$/;
/** Recorded answers and compiled files, which name paths of requests. */
const DATA =
  /(?:\/generated\/|^test\/vectors\/\w+\/|\.snapshot\.json$|wire-pins\.json$|-lock\.json$)/;
/** What a bundle puts before a path within `dist`. */
const PREFIXES = ['bundle-service.js → ../', 'bundle.js → ../'];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => READS_FILES.test(file) && !DATA.test(file) && existsSync(file));

describe('the repository', () => {
  it('reads no file outside of its own folder', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files).toContain('.ci/run');
    const leaving = files.flatMap((file) =>
      leavingPaths(file, readFileSync(file, 'utf8')).map((path) => `${file} → ${path}`),
    );
    expect(leaving).toEqual(PREFIXES);
  });
});

describe('the search for paths that leave the repository', () => {
  const up = (levels: number): string => Array<string>(levels).fill('..').join('/');

  it.each([
    ['an import', 'test/unit/a.test.ts', `import { a } from '${up(3)}/beside/a.ts';`],
    ['a URL', 'test/vectors/a.test.ts', `new URL('${up(3)}/beside/', import.meta.url)`],
    ['a segment', 'test/a/b/c.ts', `resolve(import.meta.dirname, "${up(4)}/beside")`],
    ['a path through a folder', 'config/a.ts', `import('./x/${up(3)}/beside.ts')`],
    ['a path of the working directory', 'test/a/b/c.ts', `resolve('${up(1)}/beside/tool')`],
    ['a file of the working directory', 'test/a/b/c.ts', `readFileSync(\`${up(1)}/beside\`)`],
    ['a setting', 'tsconfig.json', `{ "extends": "${up(1)}/tsconfig.json" }`],
    ['a command', '.ci/run', `#!/usr/bin/env bash\nif [ -x ${up(1)}/beside/tool ]; then\n`],
    ['a command of CI', 'x/run.sh', `"$(dirname "$0")/${up(2)}/beside"`],
    ['a tool of a script', 'test/a/tool', `#!/usr/bin/env bash\n"$here/${up(3)}/beside/tool"\n`],
  ])('finds %s', (_, file, text) => {
    expect(leavingPaths(file, text)).toHaveLength(1);
  });

  it.each([
    ['an import', 'test/unit/a.test.ts', `import { a } from '${up(2)}/domain/a.ts';`],
    ['the root', '.ci/run', `#!/usr/bin/env bash\ncd "$(dirname "$0")/${up(1)}"\n`],
    ['a tool', 'test/a/tool', `#!/usr/bin/env bash\n"$here/${up(1)}/b/tool"\n`],
    ['a pattern', 'domain/a.ts', `text.match(/../g)`],
    ['a range', 'domain/a.ts', `'a...b'`],
  ])('leaves %s alone', (_, file, text) => {
    expect(leavingPaths(file, text)).toEqual([]);
  });
});
