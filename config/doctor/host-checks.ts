import { dirname, isAbsolute, join } from 'node:path';
import {
  kindOf,
  modeOf,
  namesIn,
  openFilesLimit,
  roomAt,
  writeFault,
} from '../../adapters/system/places.ts';
import { sqliteFile } from '../backup.ts';
import { SETTINGS, type Settings } from '../settings-table.ts';
import type { Environment } from '../settings-sources.ts';
import { finding, type Check, type Finding } from './finding.ts';

const FEW_FILES = 4096;
const FULL_SHARE = 0.1;
const ROOMY_BYTES = 20 * 2 ** 30;

/** Places, modes and limits of the machine. */
export const hostChecks = (settings: Settings, env: Environment, cwd: string): readonly Check[] => [
  { name: 'modes', look: () => modes(settings, env, cwd) },
  { name: 'places', look: () => places(settings) },
  { name: 'kinds of places', look: () => kinds(settings) },
  { name: 'room', look: () => room(settings) },
  { name: 'open files', look: openFiles },
];

const modes = async (
  settings: Settings,
  env: Environment,
  cwd: string,
): Promise<readonly Finding[]> => {
  const { KEYS_DIR, ANCHOR, ANCHOR_PATH } = settings;
  const made = (await namesIn(KEYS_DIR)).map((name) => join(KEYS_DIR, name));
  const database = sqliteFile(settings);
  const found = await Promise.all([
    tooOpen(KEYS_DIR, 0o077, '0700'),
    ...made.map((path) => tooOpen(path, 0o077, '0600')),
    ...mountedSecrets(env, cwd).map((path) => tooOpen(path, 0o007, '0600')),
    ...(database === null ? [] : [tooOpen(database, 0o007, '0600')]),
    ...(ANCHOR === 'filesystem' ? [tooOpen(ANCHOR_PATH, 0o022, '0700')] : []),
  ]);
  return found.flat();
};

/** Files of secrets, but for those that a container runtime mounts with modes of its own. */
const mountedSecrets = (env: Environment, cwd: string): readonly string[] =>
  Object.entries(SETTINGS)
    .filter(([, { secret }]) => secret)
    .flatMap(([name]) => env[`${name}_FILE`]?.trim() || [])
    .filter((file) => !file.startsWith('/run/'))
    .map((file) => (isAbsolute(file) ? file : join(cwd, file)));

const tooOpen = async (
  path: string,
  forbidden: number,
  wanted: string,
): Promise<readonly Finding[]> => {
  const mode = await modeOf(path);
  if (mode === null || (mode & forbidden) === 0) return [];
  return [
    finding(
      'mode-too-open',
      path,
      `Other users can read or change it (mode 0${mode.toString(8).padStart(3, '0')}). Run: chmod ${wanted} ${path}`,
    ),
  ];
};

const writtenPlaces = (settings: Settings): ReadonlyMap<string, string> => {
  const { ANCHOR, ANCHOR_PATH, SIEM_FILE_PATH } = settings;
  const database = sqliteFile(settings);
  return new Map([
    ...(database === null ? [] : ([['DATA_DIR', dirname(database)]] as const)),
    ...(ANCHOR === 'filesystem' ? ([['ANCHOR_PATH', ANCHOR_PATH]] as const) : []),
    ...(SIEM_FILE_PATH ? ([['SIEM_FILE_PATH', dirname(SIEM_FILE_PATH)]] as const) : []),
  ]);
};

const places = async (settings: Settings): Promise<readonly Finding[]> => {
  const found = await Promise.all(
    [...writtenPlaces(settings)].map(async ([name, path]): Promise<readonly Finding[]> => {
      const fault = await writeFault(path);
      if (fault === null) return [];
      return [
        finding(
          'place-not-writable',
          name,
          `${path} cannot be written by this user (${fault}). Give it to the user who runs the service, or name another place in ${name}.`,
        ),
      ];
    }),
  );
  return found.flat();
};

/** What each setting has to lead to, as far as it leads to something. */
const kinds = async (settings: Settings): Promise<readonly Finding[]> => {
  const { DATABASE_URL, DATA_DIR, KEYS_DIR, ANCHOR, ANCHOR_PATH } = settings;
  const { SIEM_FILE_PATH, PROVISIONING_PATH } = settings;
  const database = sqliteFile(settings);
  const isInDataDir = DATABASE_URL.startsWith(`sqlite://${DATA_DIR}/`);
  const directories: (readonly [string, string])[] = [['KEYS_DIR', KEYS_DIR]];
  if (database !== null)
    directories.push([isInDataDir ? 'DATA_DIR' : 'DATABASE_URL', dirname(database)]);
  if (ANCHOR === 'filesystem') directories.push(['ANCHOR_PATH', ANCHOR_PATH]);
  if (PROVISIONING_PATH) directories.push(['PROVISIONING_PATH', PROVISIONING_PATH]);
  const found: Finding[] = [];
  for (const [name, path] of directories) {
    const kind = await kindOf(path);
    if (kind !== 'directory' && kind !== null)
      found.push(
        finding(
          'place-of-other-kind',
          name,
          `${path} is not a directory. Move the file away, or name a directory in ${name}.`,
        ),
      );
    if (kind === null && name === 'PROVISIONING_PATH')
      found.push(
        finding(
          'place-missing',
          name,
          `${path} does not exist or cannot be read, so nothing is provisioned. Mount it, or correct ${name}.`,
        ),
      );
  }
  if (SIEM_FILE_PATH && (await kindOf(SIEM_FILE_PATH)) === 'directory')
    found.push(
      finding(
        'place-of-other-kind',
        'SIEM_FILE_PATH',
        `${SIEM_FILE_PATH} is a directory. Name a file in it.`,
      ),
    );
  return found;
};

const room = async (settings: Settings): Promise<readonly Finding[]> => {
  const found = await Promise.all(
    [...writtenPlaces(settings)].map(async ([name, path]): Promise<readonly Finding[]> => {
      const { freeBytes, freeShare } = await roomAt(path);
      if (freeShare > FULL_SHARE || freeBytes > ROOMY_BYTES) return [];
      return [
        finding(
          'disk-nearly-full',
          name,
          `The volume of ${path} has ${Math.floor(freeBytes / 2 ** 20)} MiB left, ${Math.floor(freeShare * 100)} %. On a full disk every write is refused with 503. Make room, or move ${name} to a larger volume.`,
        ),
      ];
    }),
  );
  return found.flat();
};

const openFiles = async (): Promise<readonly Finding[]> => {
  const limit = await openFilesLimit();
  if (limit === null || limit >= FEW_FILES) return [];
  return [
    finding(
      'open-files-too-few',
      'ulimit -n',
      `A process of this user may have ${limit} files and sockets open, and each caller takes one. Raise it to ${FEW_FILES} at least: LimitNOFILE= in a unit of systemd, ulimit -n in a shell.`,
    ),
  ];
};
