import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderSecrets } from '../../../adapters/provisioning/folder-secrets.ts';

// Contract of application/provisioning/secret-files.port.ts

let outer: string;
let folder: string;
const secrets = (): FolderSecrets => new FolderSecrets(folder, join(outer, 'data'));
const newId = () => randomUUID();
const NAME = 'acme.clerk.api-key';

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'notary-secrets-'));
  folder = join(outer, 'secrets');
  mkdirSync(join(outer, 'data'));
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

describe('a secret', () => {
  it('is held first and gets its name then, for its owner alone', async () => {
    const file = { id: newId(), name: NAME };
    await secrets().hold(file, 'one');
    expect(readdirSync(folder)).toEqual([`.held-${file.id}-${NAME}`]);
    expect(await secrets().held()).toEqual([{ ...file, ageMs: expect.any(Number) }]);
    expect(await secrets().release(file)).toBe(join(folder, NAME));
    expect(readdirSync(folder)).toEqual([NAME]);
    expect(readFileSync(join(folder, NAME), 'utf8')).toBe('one\n');
    expect(statSync(join(folder, NAME)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await secrets().held()).toEqual([]);
  });

  it('held again under its id is the later one; a draft that a crash left is no matter', async () => {
    const file = { id: newId(), name: NAME };
    await secrets().hold(file, 'one');
    writeFileSync(join(folder, `.held-${file.id}-${NAME}.draft`), 'hal');
    expect(await secrets().held()).toHaveLength(1);
    await secrets().hold(file, 'two');
    expect(readFileSync(await secrets().release(file), 'utf8')).toBe('two\n');
  });

  it('a crash between the name and the end of holding leaves one file', async () => {
    const file = { id: newId(), name: NAME };
    await secrets().hold(file, 'one');
    linkSync(join(folder, `.held-${file.id}-${NAME}`), join(folder, NAME));
    expect(await secrets().release(file)).toBe(join(folder, NAME));
    expect(readdirSync(folder)).toEqual([NAME]);
  });

  it('is never written over another', async () => {
    const file = { id: newId(), name: NAME };
    await secrets().hold(file, 'mine');
    writeFileSync(join(folder, NAME), 'theirs');
    await expect(secrets().assertFree(NAME)).rejects.toThrow(/already/);
    expect(await secrets().release(file)).toBe(join(folder, `${NAME}.${file.id}`));
    expect(readFileSync(join(folder, NAME), 'utf8')).toBe('theirs');
  });

  it('that is dropped is gone, and may be dropped again', async () => {
    const file = { id: newId(), name: NAME };
    await secrets().hold(file, 'one');
    await secrets().drop(file);
    await secrets().drop(file);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder is refused', () => {
  it('that is not configured; then nothing is held either', async () => {
    const none = new FolderSecrets(null, outer);
    await expect(none.assertFree(NAME)).rejects.toThrow(/PROVISIONING_SECRETS_DIR/);
    expect(await none.held()).toEqual([]);
  });

  it('that leads into the data', async () => {
    symlinkSync(join(outer, 'data'), folder);
    await expect(secrets().assertFree(NAME)).rejects.toThrow(/leads into DATA_DIR/);
  });

  it('into which others may write', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await expect(secrets().assertFree(NAME)).rejects.toThrow(/chmod 700/);
  });

  it('that is a file', async () => {
    writeFileSync(folder, '');
    await expect(secrets().assertFree(NAME)).rejects.toThrow(/cannot be used: E/);
  });
});
