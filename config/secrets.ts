import type { Stats } from 'node:fs';
import { chmod, link, mkdir, open, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseSecretKeys } from './setting-types.ts';
import { isInside, SettingsError } from './settings.ts';
import type { Settings } from './settings-table.ts';

export interface Secrets {
  /** Newest first. */
  readonly pepper: readonly Uint8Array[];
  readonly secretsKey: readonly Uint8Array[];
  readonly signerKek: Uint8Array;
  readonly warnings: readonly string[];
  /** Files that this call made; on a database that is not empty, a sign that the old ones are lost. */
  readonly created: readonly string[];
}

const FILES = {
  API_KEY_PEPPER: 'api-key-pepper',
  SECRETS_KEY: 'secrets-key',
  SIGNER_KEK: 'signer-kek',
} as const;

/**
 * The secrets of the settings; those that are not set are read from KEYS_DIR, and made there at the first
 * start. Two processes that start at once end with the same ones. Where an unset one must not be made
 * (production, MySQL), `loadSettings` has refused it already.
 *
 * @throws SettingsError
 */
export const loadSecrets = async (
  settings: Pick<Settings, keyof typeof FILES | 'KEYS_DIR' | 'DATA_DIR'>,
): Promise<Secrets> => {
  const warnings: string[] = [];
  const created: string[] = [];
  const names = Object.keys(FILES) as (keyof typeof FILES)[];
  if (names.some((name) => settings[name] === null)) await prepareDirectory(settings, warnings);

  const keysOf = async (name: keyof typeof FILES): Promise<readonly Uint8Array[]> =>
    settings[name] ?? fromFile(name, join(settings.KEYS_DIR, FILES[name]), warnings, created);
  const [pepper, secretsKey, keks] = [
    await keysOf('API_KEY_PEPPER'),
    await keysOf('SECRETS_KEY'),
    await keysOf('SIGNER_KEK'),
  ];
  if (keks.length > 1)
    throw wrongFile(
      'SIGNER_KEK',
      join(settings.KEYS_DIR, FILES.SIGNER_KEK),
      'holds several keys; there is only one',
    );
  return { pepper, secretsKey, signerKek: keks[0]!, warnings, created };
};

const prepareDirectory = async (
  { KEYS_DIR, DATA_DIR }: Pick<Settings, 'KEYS_DIR' | 'DATA_DIR'>,
  warnings: string[],
): Promise<void> => {
  try {
    const first = await mkdir(KEYS_DIR, { recursive: true, mode: 0o700 });
    if (first !== undefined) await chmod(KEYS_DIR, 0o700); // whatever the umask says
  } catch (cause) {
    throw wrongFile('KEYS_DIR', KEYS_DIR, `cannot be made (${codeOf(cause)})`);
  }
  // The settings compared the names; a symbolic link can still lead inside.
  const data = await realpath(DATA_DIR).catch(() => null);
  if (data !== null && isInside(await realpath(KEYS_DIR), data)) {
    throw wrongFile(
      'KEYS_DIR',
      KEYS_DIR,
      `leads inside DATA_DIR (${data}): a backup of the data would hold the keys`,
    );
  }
  await warnIfLoose(KEYS_DIR, '0700', warnings);
};

const fromFile = async (
  name: keyof typeof FILES,
  file: string,
  warnings: string[],
  created: string[],
): Promise<readonly Uint8Array[]> => {
  if (!(await exists(file)) && (await create(name, file))) created.push(file);
  await warnIfLoose(file, '0600', warnings);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw wrongFile(name, file, `cannot be read (${codeOf(cause)})`);
  });
  const keys = parseSecretKeys(text.trim().replaceAll(/\s+/g, ','));
  if (keys === null)
    throw wrongFile(name, file, 'holds no key of at least 32 bytes as base64, base64url or hex');
  return keys;
};

/**
 * Whole or not at all, and only once: the file is written under another name, brought to the disk, and then
 * linked to its own, which fails where another process was first. It must survive a power cut, because a
 * signing key may be sealed under it the next moment.
 */
const create = async (name: string, file: string): Promise<boolean> => {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    try {
      await link(draft, file);
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') return false;
      throw cause;
    } finally {
      await unlink(draft);
    }
    await syncDirectory(join(file, '..'));
    return true;
  } catch (cause) {
    throw wrongFile(
      name,
      file,
      `cannot be made (${codeOf(cause)}). Make one with: openssl rand -base64 32, and set ${name} or ${name}_FILE`,
    );
  }
};

const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return; // a directory cannot be opened there
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const warnIfLoose = async (path: string, right: string, warnings: string[]): Promise<void> => {
  if (process.platform === 'win32') return; // has no such modes
  const mode = (await statOrNull(path))?.mode ?? 0;
  if ((mode & 0o077) !== 0)
    warnings.push(
      `${path} can be read or changed by other users (mode 0${(mode & 0o777).toString(8)}). Run: chmod ${right} ${path}`,
    );
};

const exists = async (file: string): Promise<boolean> => (await statOrNull(file)) !== null;

const statOrNull = (path: string): Promise<Stats | null> => stat(path).catch(() => null);

const wrongFile = (name: string, file: string, what: string): SettingsError =>
  new SettingsError([{ name, message: `${file} ${what}` }]);

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause);
