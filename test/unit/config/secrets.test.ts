import {
  chmodSync,
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
import { loadSecrets } from '../../../config/secrets.ts';
import { SettingsError } from '../../../config/settings-error.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'notary-secrets-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const unset = () => ({
  DATA_DIR: join(root, 'data'),
  KEYS_DIR: join(root, 'data-keys'),
  API_KEY_PEPPER: null,
  SECRETS_KEY: null,
  SIGNER_KEK: null,
});
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('loadSecrets', () => {
  it('makes three different keys of 32 bytes at the first start and finds them again at the next', async () => {
    const first = await loadSecrets(unset());
    expect(first.created).toEqual(
      ['api-key-pepper', 'secrets-key', 'signer-kek'].map((file) => join(root, 'data-keys', file)),
    );
    expect(first.warnings).toEqual([]);
    const keys = [...first.pepper, ...first.secretsKey, first.signerKek];
    expect(keys.map((key) => key.length)).toEqual([32, 32, 32]);
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(3);

    expect(await loadSecrets(unset())).toEqual({ ...first, created: [] });
  });

  it.skipIf(process.platform === 'win32')(
    'keeps them from other users, and leaves no draft behind',
    async () => {
      await loadSecrets(unset());
      expect(mode(join(root, 'data-keys'))).toBe('700');
      expect(readdirSync(join(root, 'data-keys')).sort()).toEqual([
        'api-key-pepper',
        'secrets-key',
        'signer-kek',
      ]);
      for (const file of readdirSync(join(root, 'data-keys')))
        expect(mode(join(root, 'data-keys', file))).toBe('600');
    },
  );

  it('ends with the same keys for all that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => loadSecrets(unset())));
    for (const secrets of all) {
      expect(secrets.pepper).toEqual(all[0]!.pepper);
      expect(secrets.secretsKey).toEqual(all[0]!.secretsKey);
      expect(secrets.signerKek).toEqual(all[0]!.signerKek);
    }
    expect(all.flatMap((secrets) => secrets.created)).toHaveLength(3);
    expect(readdirSync(join(root, 'data-keys'))).toHaveLength(3);
  });

  it('touches no directory where all of them are set', async () => {
    const key = new Uint8Array(32).fill(1);
    const secrets = await loadSecrets({
      ...unset(),
      API_KEY_PEPPER: [key, new Uint8Array(32)],
      SECRETS_KEY: [key],
      SIGNER_KEK: [key],
    });
    expect(secrets).toEqual({
      pepper: [key, new Uint8Array(32)],
      secretsKey: [key],
      signerKek: key,
      warnings: [],
      created: [],
    });
    expect(readdirSync(root)).toEqual([]);
  });

  it('makes only what is not set', async () => {
    const secrets = await loadSecrets({ ...unset(), SIGNER_KEK: [new Uint8Array(32).fill(1)] });
    expect(secrets.signerKek).toEqual(new Uint8Array(32).fill(1));
    expect(readdirSync(join(root, 'data-keys')).sort()).toEqual(['api-key-pepper', 'secrets-key']);
  });

  it('reads several keys, newest first, from a file that an operator wrote', async () => {
    mkdirSync(join(root, 'data-keys'), { mode: 0o700 });
    const [newer, older] = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
    writeFileSync(
      join(root, 'data-keys', 'api-key-pepper'),
      `${newer.toString('hex')}\n${older.toString('base64')}\n`,
      { mode: 0o600 },
    );
    expect((await loadSecrets(unset())).pepper).toEqual([
      Uint8Array.from(newer),
      Uint8Array.from(older),
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'warns of a file or directory that others can read, and goes on',
    async () => {
      await loadSecrets(unset());
      chmodSync(join(root, 'data-keys', 'signer-kek'), 0o644);
      chmodSync(join(root, 'data-keys'), 0o755);
      const { warnings } = await loadSecrets(unset());
      expect(warnings).toHaveLength(2);
      expect(warnings.join('\n')).toMatch(/chmod 0700 .*data-keys\n[^]*chmod 0600 .*signer-kek/);
    },
  );

  it.each(['', 'short', `${Buffer.alloc(31, 1).toString('base64')}\n`])(
    'stops on a damaged file (%j), and leaves it as it is',
    async (content) => {
      mkdirSync(join(root, 'data-keys'), { mode: 0o700 });
      const file = join(root, 'data-keys', 'signer-kek');
      writeFileSync(file, content, { mode: 0o600 });
      await expect(loadSecrets(unset())).rejects.toThrow(SettingsError);
      await expect(loadSecrets(unset())).rejects.toThrow(
        /signer-kek holds no key of at least 32 bytes/,
      );
      expect(readFileSync(file, 'utf8')).toBe(content);
    },
  );

  it('stops where the directory cannot be made', async () => {
    writeFileSync(join(root, 'data-keys'), 'a file');
    await expect(loadSecrets(unset())).rejects.toThrow(/KEYS_DIR: .*cannot be made/);
  });

  it('stops where KEYS_DIR leads inside DATA_DIR by a symbolic link', async () => {
    mkdirSync(join(root, 'data', 'inner'), { recursive: true });
    symlinkSync(join(root, 'data', 'inner'), join(root, 'data-keys'));
    await expect(loadSecrets(unset())).rejects.toThrow(/leads inside DATA_DIR/);
    expect(readdirSync(join(root, 'data', 'inner'))).toEqual([]);
  });
});
