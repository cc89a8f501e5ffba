import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FolderFiles,
  MAX_FILE_BYTES,
  MAX_FILES,
} from '../../../adapters/provisioning/folder-files.ts';

// Contract of application/provisioning/provisioning-files.port.ts

let outer: string;
let root: string;
const files = (): FolderFiles => new FolderFiles(root);
const write = (file: string, content: string | Uint8Array): void => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), content);
};
/** The faults beside a file that is good: each is of one file alone. */
const faultsBeside = async (): Promise<readonly [file: string, message: string][]> => {
  write('agents/good.yaml', 'org: acme\nkey: good\nname: good\n');
  const { files: read, faults } = await files().read();
  expect(read.map(({ file }) => file)).toContain('agents/good.yaml');
  return faults.map(({ file, message }) => [file, message]);
};

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'notary-files-'));
  root = join(outer, 'files');
  mkdirSync(root);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

describe('a folder of files', () => {
  it('is read by the names of files, each with the SHA-256 of its bytes', async () => {
    const text = '# a clerk\norg: acme\nkey: clerk\nname: clerk\n';
    write('agents/b.yaml', text);
    write('agents/a.json', '{"org":"acme","key":"a","name":"a","n":[1,true,null]}');
    mkdirSync(join(root, 'orgs'));
    const { kinds, files: read, faults } = await files().read();
    expect(faults).toEqual([]);
    expect([...kinds].sort()).toEqual(['agents', 'orgs']);
    expect(read.map(({ file }) => file)).toEqual(['agents/a.json', 'agents/b.yaml']);
    expect(read[1]).toMatchObject({
      kind: 'agents',
      sha256: createHash('sha256').update(text).digest('hex'),
      value: { org: 'acme', key: 'clerk', name: 'clerk' },
    });
  });

  it('may be a volume of an orchestrator, whose files are links within it', async () => {
    write('..2026_11/agents/a.yaml', 'org: acme\nkey: a\nname: a\n');
    symlinkSync('..2026_11', join(root, '..data'));
    symlinkSync('..data/agents', join(root, 'agents'));
    const { files: read, faults } = await files().read();
    expect(faults).toEqual([]);
    expect(read.map(({ file }) => file)).toEqual(['agents/a.yaml']);
  });

  it('that is not there is one fault, and no kind is known to be empty', async () => {
    rmSync(root, { recursive: true });
    const { kinds, faults } = await files().read();
    expect(kinds.size).toBe(0);
    expect(faults).toEqual([
      {
        kind: null,
        file: '',
        pointer: '',
        message: `The folder ${root} cannot be read: it is not there.`,
      },
    ]);
  });
});

describe('a fault is of its file alone:', () => {
  const BOMB = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]`,
    ),
  ].join('\n');
  it.each([
    ['aliases', BOMB, /uses an alias/],
    ['a member twice', 'org: acme\nkey: a\nkey: b\n', /a member is there twice \(line 3\)/],
    ['a tag', 'org: !!binary aGVsbG8=\n', /not valid YAML/],
    ['two documents', 'org: a\n---\norg: b\n', /several documents/],
    ['nothing', '', /is empty/],
    ['a comment', '# later\n', /is empty/],
    ['no YAML', 'org: [a\nkey: b\n', /not valid YAML/],
    ['deep nesting', '['.repeat(10_000), /not valid YAML|nested too deeply/],
    ['deep values', `a: ${'['.repeat(100)}${']'.repeat(100)}`, /not valid YAML/],
    ['an inexact number', 'n: 9007199254740993\n', /too large to be exact/],
    ['no number', 'n: .inf\n', /number that JSON does not have/],
  ])('%s', async (_, text, message) => {
    write('agents/bad.yaml', text);
    const found = await faultsBeside();
    expect(found).toEqual([['agents/bad.yaml', expect.stringMatching(message)]]);
  });

  it('the bomb of aliases is refused before it is expanded', async () => {
    write('agents/bad.yaml', BOMB);
    const begun = performance.now();
    await files().read();
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('as JSON, many members are read', async () => {
    const members = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, 1]));
    write('agents/many.json', JSON.stringify(members));
    expect(await faultsBeside()).toEqual([]);
  });

  it('files beyond as many as are read are one fault of their folder', async () => {
    mkdirSync(join(root, 'agents'));
    for (let at = 0; at < MAX_FILES + 5; at++)
      writeFileSync(join(root, 'agents', `n${String(at).padStart(6, '0')}.json`), '{}');
    const faults = await faultsBeside();
    expect(faults).toEqual([['agents/', expect.stringMatching(/beyond the first 10000/)]]);
  });

  it('bad UTF-8', async () => {
    write('agents/bad.yaml', new Uint8Array([0x6b, 0x3a, 0x20, 0xff, 0xfe]));
    expect(await faultsBeside()).toEqual([['agents/bad.yaml', 'is not UTF-8.']]);
  });

  it('JSON with a member twice, with its pointer and line', async () => {
    write('agents/bad.json', '{"org":"a",\n "org":"b"}');
    expect(await faultsBeside()).toEqual([
      ['agents/bad.json', expect.stringMatching(/^is not valid JSON: .*line 2/)],
    ]);
  });

  it('a huge file', async () => {
    write('agents/bad.yaml', Buffer.alloc(MAX_FILE_BYTES + 1, 0x61));
    expect(await faultsBeside()).toEqual([
      ['agents/bad.yaml', expect.stringContaining(`has ${MAX_FILE_BYTES + 1} bytes`)],
    ]);
  });

  it('a link out of the folder, to a file or of a kind, and one that leads nowhere', async () => {
    writeFileSync(join(outer, 'passwd.yaml'), 'org: acme\nkey: stolen\nname: stolen\n');
    mkdirSync(join(outer, 'elsewhere'));
    mkdirSync(join(root, 'agents'));
    symlinkSync(join(outer, 'passwd.yaml'), join(root, 'agents', 'out.yaml'));
    symlinkSync('../../elsewhere', join(root, 'agents', 'folder.yaml'));
    symlinkSync(join(outer, 'elsewhere'), join(root, 'webhooks'));
    symlinkSync('nowhere', join(root, 'agents', 'gone.yaml'));
    symlinkSync('round.yaml', join(root, 'agents', 'round.yaml'));
    const faults = new Map(await faultsBeside());
    expect(faults.get('agents/out.yaml')).toContain('link out of the folder');
    expect(faults.get('agents/folder.yaml')).toContain('link out of the folder');
    expect(faults.get('webhooks/')).toContain('link out of the folder');
    expect(faults.get('agents/gone.yaml')).toBe('cannot be read: it is not there.');
    expect(faults.get('agents/round.yaml')).toBe('cannot be read: its links lead in a circle.');
    expect((await files().read()).kinds.has('webhooks')).toBe(false);
  });

  it('a named pipe holds nothing up', async () => {
    mkdirSync(join(root, 'agents'));
    execFileSync('mkfifo', [join(root, 'agents', 'pipe.yaml')]);
    expect(await faultsBeside()).toEqual([['agents/pipe.yaml', 'is no regular file.']]);
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    write('agents/bad.yaml', 'org: acme\n');
    chmodSync(join(root, 'agents/bad.yaml'), 0o000);
    expect(await faultsBeside()).toEqual([
      ['agents/bad.yaml', 'cannot be read: the user of the service may not read it.'],
    ]);
  });

  it('what is no file of a kind', async () => {
    write('agents/notes.txt', 'x');
    write('agents/README.md', 'x');
    write('agents/deeper/a.yaml', 'x: 1');
    write('wehbooks/a.yaml', 'x: 1');
    write('loose.yaml', 'x: 1');
    write('LICENSE', 'x');
    expect((await faultsBeside()).map(([file]) => file)).toEqual([
      'agents/deeper',
      'agents/notes.txt',
      'loose.yaml',
      'wehbooks',
    ]);
  });

  it('no sentence quotes the file', async () => {
    write('agents/bad.yaml', 'org: acme\nsecret: hunter2-hunter2\n  bad: [indent\n');
    expect(JSON.stringify(await faultsBeside())).not.toContain('hunter2');
  });
});

it('files that come and go while the folder is read are read as a whole or are faults', async () => {
  const whole = `org: acme\nkey: k\nname: ${'n'.repeat(200)}\n`;
  for (let n = 0; n < 50; n++) write(`agents/f${n}.yaml`, whole);
  let going = true;
  const churn = (async () => {
    for (let n = 0; going; n++) {
      const file = join(root, `agents/f${n % 50}.yaml`);
      rmSync(file, { force: true });
      writeFileSync(`${file}.new`, whole);
      renameSync(`${file}.new`, file);
      await new Promise(setImmediate);
    }
  })();
  for (let n = 0; n < 20; n++) {
    const { files: read } = await files().read();
    for (const { value } of read) expect(value).toMatchObject({ key: 'k' });
  }
  going = false;
  await churn;
  expect(readFileSync(join(root, 'agents/f0.yaml'), 'utf8')).toBe(whole);
});
