import { realPathOf, SecretDirectory, SecretFileError } from '../adapters/keys/secret-directory.ts';
import { parseSecretKeys } from './setting-types.ts';
import { isInside } from './is-inside.ts';
import { SettingsError } from './settings-error.ts';
import type { Settings } from './settings-table.ts';

export interface Secrets {
  /** Newest first. */
  readonly pepper: readonly Uint8Array[];
  readonly secretsKey: readonly Uint8Array[];
  readonly signerKek: Uint8Array;
  readonly warnings: readonly string[];
  /**
   * Files that this call created. Where the database is not empty, they are a sign that the old
   * secrets are lost.
   */
  readonly created: readonly string[];
}

const FILES = {
  API_KEY_PEPPER: 'api-key-pepper',
  SECRETS_KEY: 'secrets-key',
  SIGNER_KEK: 'signer-kek',
} as const;
type SecretName = keyof typeof FILES;

/**
 * The secrets of the settings. Secrets that are not set are read from KEYS_DIR, and created there
 * at the first start. Where a secret may not be created (production, MySQL), `loadSettings` has
 * already refused to continue without it.
 *
 * @throws SettingsError
 */
export const loadSecrets = async (
  settings: Pick<Settings, SecretName | 'KEYS_DIR' | 'DATA_DIR'>,
): Promise<Secrets> => {
  const directory = new SecretDirectory(settings.KEYS_DIR);
  const names = Object.keys(FILES) as SecretName[];
  if (names.some((name) => settings[name] === null)) await prepare(directory, settings);

  const keysOf = async (name: SecretName): Promise<readonly Uint8Array[]> =>
    settings[name] ?? (await keysIn(directory, name));
  const [pepper, secretsKey, keks] = [
    await keysOf('API_KEY_PEPPER'),
    await keysOf('SECRETS_KEY'),
    await keysOf('SIGNER_KEK'),
  ];
  if (keks.length > 1)
    throw wrong(
      'SIGNER_KEK',
      `${directory.fileOf(FILES.SIGNER_KEK)} holds several keys; there is only one`,
    );
  const { warnings, created } = directory;
  return { pepper, secretsKey, signerKek: keks[0]!, warnings, created };
};

const prepare = async (
  directory: SecretDirectory,
  { KEYS_DIR, DATA_DIR }: Pick<Settings, 'KEYS_DIR' | 'DATA_DIR'>,
): Promise<void> => {
  const keys = await directory.prepare().catch(explain('KEYS_DIR'));
  // `loadSettings` compared the names, but a symbolic link can still lead inside.
  const data = await realPathOf(DATA_DIR);
  if (data !== null && isInside(keys, data))
    throw wrong(
      'KEYS_DIR',
      `${KEYS_DIR} leads inside DATA_DIR (${data}): a backup of the data would hold the keys`,
    );
};

const keysIn = async (
  directory: SecretDirectory,
  name: SecretName,
): Promise<readonly Uint8Array[]> => {
  const text = await directory.readOrCreate(FILES[name]).catch(explain(name));
  const keys = parseSecretKeys(text.trim().replaceAll(/\s+/g, ','));
  if (keys === null)
    throw wrong(
      name,
      `${directory.fileOf(FILES[name])} holds no key of at least 32 bytes as base64, base64url or hex`,
    );
  return keys;
};

/** Names the setting, and says what to do. */
const explain =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof SecretFileError)) throw error;
    const { failed, path, code } = error;
    if (failed === 'read-file') throw wrong(name, `${path} cannot be read (${code})`);
    const advice = `. Make one with: openssl rand -base64 32, and set ${name} or ${name}_FILE`;
    throw wrong(name, `${path} cannot be made (${code})${failed === 'make-file' ? advice : ''}`);
  };

const wrong = (name: string, message: string): SettingsError =>
  new SettingsError([{ name, message }]);
