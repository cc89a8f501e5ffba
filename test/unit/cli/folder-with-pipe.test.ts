import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filesOf } from '../../../adapters/cli/read-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'notary-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'of a folder only files are read: a pipe in it would be waited for without end',
  async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    mkdirSync(join(folder, 'folder.json'));
    writeFileSync(join(folder, 'a.json'), '{}');
    symlinkSync('pipe.json', join(folder, 'link-to-pipe.json'));
    symlinkSync('a.json', join(folder, 'link.json'));
    symlinkSync('gone.json', join(folder, 'broken.json'));
    expect(await filesOf([folder])).toEqual(
      ['a.json', 'broken.json', 'link.json'].map((name) => join(folder, name)),
    );
  },
);
