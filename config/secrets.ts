import { realPathOf, SecretDirectory, SecretFileError } from '../adapters/keys/secret-directory.ts';
import type { SecretFault } from '../application/operations/known-secrets.ts';
import type { SecretName } from '../application/operations/secret-checks.port.ts';
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
  /** Files that this call created. */
  readonly created: readonly string[];
}

const FILES: { readonly [name in SecretName]: string } = {
  API_KEY_PEPPER: 'api-key-pepper',
  SECRETS_KEY: 'secrets-key',
  SIGNER_KEK: 'signer-kek',
};

type SecretSettings = Pick<Settings, SecretName | 'KEYS_DIR' | 'DATA_DIR'>;

/**
 * The secrets of the settings. Secrets that are not set are read from KEYS_DIR. Missing files are
 * created there beside an empty database, and never beside another one: then the old secrets are
 * lost, and new ones would open nothing. Where a secret may not be created (production, MySQL),
 * `loadSettings` has already refused to continue without it.
 *
 * @param isInUse whether the database is not empty.
 * @throws SettingsError
 */
export const loadSecrets = async (settings: SecretSettings, isInUse = false): Promise<Secrets> => {
  const directory = new SecretDirectory(settings.KEYS_DIR);
  const unset = (Object.keys(FILES) as SecretName[]).filter((name) => settings[name] === null);
  if (isInUse) await assertThere(directory, unset);
  else if (unset.length > 0) await prepare(directory, settings);

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

/** SECRETS_KEY where it is set, or where there is its file; otherwise none. Nothing is made. */
export const secretsKeyIfThere = async (
  settings: Pick<Settings, 'SECRETS_KEY' | 'KEYS_DIR'>,
): Promise<readonly Uint8Array[]> => {
  if (settings.SECRETS_KEY !== null) return settings.SECRETS_KEY;
  const directory = new SecretDirectory(settings.KEYS_DIR);
  const text = await directory.readIfThere(FILES.SECRETS_KEY).catch(explain('SECRETS_KEY'));
  return text === null ? [] : (parseSecretKeys(text.trim().replaceAll(/\s+/g, ',')) ?? []);
};

/** The files that hold the secrets that are not set, as far as they are there. Nothing is made. */
export const secretFiles = async (
  settings: SecretSettings,
): Promise<{ readonly [name in SecretName]?: string }> => {
  const directory = new SecretDirectory(settings.KEYS_DIR);
  const files: { [name in SecretName]?: string } = {};
  for (const name of Object.keys(FILES) as SecretName[])
    if (settings[name] === null && (await realPathOf(directory.fileOf(FILES[name]))) !== null)
      files[name] = directory.fileOf(FILES[name]);
  return files;
};

const assertThere = async (
  directory: SecretDirectory,
  names: readonly SecretName[],
): Promise<void> => {
  const lost = await Promise.all(
    names.map(async (name) =>
      (await directory.readIfThere(FILES[name]).catch(explain(name))) === null ? [name] : [],
    ),
  );
  const problems = lost.flat().map((name) => ({
    name,
    message: `${directory.fileOf(FILES[name])} is missing, and the database is not empty: what it holds cannot be used with another secret. Nothing was written. Put the file back from its backup, or set ${name} or ${name}_FILE to the secret of this database`,
  }));
  if (problems.length > 0) throw new SettingsError(problems);
};

/** What to do about secrets that are not those of the database. */
export const wrongSecrets = (
  faults: readonly SecretFault[],
  settings: SecretSettings,
): SettingsError => {
  const directory = new SecretDirectory(settings.KEYS_DIR);
  return new SettingsError(
    faults.map(({ name, fault }) => {
      const place = settings[name] === null ? directory.fileOf(FILES[name]) : name;
      return { name, message: FAULTS[fault](name, place) };
    }),
  );
};

const FAULTS: {
  readonly [fault in SecretFault['fault']]: (name: SecretName, place: string) => string;
} = {
  other: (name, place) =>
    `${place} holds another secret than the one that this database is used with. Nothing was written. Put the right one back${name === 'SIGNER_KEK' ? '' : '; to replace it, give the new one first and the old one after it'}`,
  needed: (name, place) =>
    `${place} lacks an older value that most rows of this database are still under: without it nobody gets in. Give the new one first and the old one after it, until the log says that all rows are under the newest`,
  unchecked: (name, place) =>
    `the database is not empty and does not say which secret it is used with, so ${place} cannot be checked. Nothing was written. The database was changed behind the service, or made by a version that noted nothing; start from a backup, or on an empty database`,
};

const prepare = async (
  directory: SecretDirectory,
  { KEYS_DIR, DATA_DIR }: SecretSettings,
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
