import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderFiles, MAX_FILE_BYTES } from '../../../adapters/provisioning/folder-files.ts';

// Cost in the contract of application/provisioning/provisioning-files.port.ts

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

describe('a hostile file costs little', () => {
  /** As many as the size of a file allows. */
  const full = (unit: string): string =>
    unit.repeat(Math.floor((MAX_FILE_BYTES - 64) / unit.length));
  const keys = Array.from({ length: 100_000 }, (_, at) => `k${at}: 1\n`).join('');
  it.each([
    ['members', keys.slice(0, MAX_FILE_BYTES), /holds more than 16384 words and marks/],
    ['items', full('- a\n'), /holds more than 16384/],
    ['items of a line', `[${full('1,')}]`, /holds more than 16384/],
    ['levels', full('['), /holds more than 16384/],
    ['anchors', full('- &a x\n'), /holds more than 16384/],
    ['members of one name', full('a: 1\n'), /holds more than 16384/],
    ['marks of explicit members', full('? '), /holds more than 16384/],
    ['ends of nothing', full('}'), /unexpected token \(line 1\)/],
    ['lists that end wrong', full('[}'), /holds more than 16384|not valid YAML/],
    ['documents', full('---\n'), /several documents/],
    ['open quotes', full('"\n'), /not valid YAML/],
    ['directives', full('%A 1\n'), /holds more than 16384|not valid YAML/],
    ['empty lines', full('\n'), /holds more than 16384|is empty/],
  ])('hundreds of thousands of %s, of which a few are looked at', async (_, text, message) => {
    write('agents/bad.yaml', text);
    const begun = process.cpuUsage();
    const found = await faultsBeside();
    const { user } = process.cpuUsage(begun);
    expect(found).toEqual([['agents/bad.yaml', expect.stringMatching(message)]]);
    // Looked at as a whole, each of them takes ten times as long, and some a hundred times.
    expect(user / 1000).toBeLessThan(1_000);
  });
});
