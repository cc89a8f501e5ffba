import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DumpFolder } from '../../adapters/cli/dump-folder.ts';
import type { DumpSource } from '../../domain/verification/dump/rows/dump-source.port.ts';
import { sourceOf } from '../support/attackers/dump-files.ts';

// Contract of domain/verification/dump/rows/dump-source.port.ts

let folder: string;
const text = 'a line of a row\n'.repeat(40_000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notary-dump-'));
  await writeFile(join(folder, 'audit_vault.ndjson'), text);
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (parts: AsyncIterable<Uint8Array> | null): Promise<string | null> => {
  if (!parts) return null;
  let found = '';
  for await (const part of parts) found += Buffer.from(part).toString();
  return found;
};

describe.each([
  ['a folder', () => DumpFolder.open(folder, () => undefined)],
  ['texts', () => Promise.resolve(sourceOf({ audit_vault: text }))],
] as [string, () => Promise<DumpSource>][])('%s as the source of a dump', (_name, open) => {
  it('gives the bytes of a file from the beginning, as often as it is asked', async () => {
    const source = await open();
    expect(await read(source.open('audit_vault'))).toBe(text);
    expect(await read(source.open('audit_vault'))).toBe(text);
  });

  it('gives null for a file that is not there', async () => {
    expect((await open()).open('vault_checkpoints')).toBeNull();
  });
});
