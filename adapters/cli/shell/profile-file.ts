import { constants } from 'node:fs';
import { mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../input-error.ts';
import { EMPTY_PROFILE, parseProfile, profileText, type Profile } from './profile.ts';
import { ShellError } from './shell-error.ts';

/** The profile while nobody else may change it. */
export interface HeldProfile {
  readonly profile: Profile;
  save(profile: Profile): Promise<void>;
}

/** The one file of the profile: keys are in it, so it is for its owner alone. */
export class ProfileFile {
  readonly path: string;

  constructor(
    directory: string,
    /** How long another command is waited for. */
    private readonly patienceMs = LOCK_PATIENCE_MS,
  ) {
    this.path = join(directory, 'profile.json');
  }

  /** Empty where there is none. @throws ShellError where others can read it, or it is no profile. */
  async read(): Promise<Profile> {
    const handle = await open(
      this.path,
      // A pipe at its place would hold the command up for as long as nobody writes into it.
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
    ).catch((cause: unknown) => {
      if (codeOf(cause) === 'ENOENT') return null;
      throw new ShellError(`The profile ${this.path} cannot be read: ${reasonOf(cause)}.`);
    });
    if (!handle) return EMPTY_PROFILE;
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new ShellError(`The profile ${this.path} is no file.`);
      if (stat.size > MAX_BYTES)
        throw new ShellError(`The profile ${this.path} is too large for one: ${stat.size} bytes.`);
      // Of the file that is open, so nobody puts another in its place in between.
      if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
        throw new ShellError(
          `Others on this machine can get at the profile ${this.path}, which holds keys: its mode is ${(stat.mode & 0o777).toString(8).padStart(4, '0')}. Run: chmod 600 ${this.path}. If somebody may have read it, replace its keys: notary keys rotate`,
        );
      const owner = process.getuid?.();
      if (owner !== undefined && owner !== 0 && stat.uid !== owner)
        throw new ShellError(`The profile ${this.path} belongs to another user.`);
      return parseProfile(await handle.readFile('utf8'), this.path);
    } finally {
      await handle.close();
    }
  }

  /** Changes it while no other command does. Whoever only reads sees the profile before or after, never a part. */
  async exclusively<T>(work: (held: HeldProfile) => Promise<T>): Promise<T> {
    const release = await this.lock();
    try {
      let profile = await this.read();
      return await work({
        get profile() {
          return profile;
        },
        save: async (next) => {
          await this.write(next);
          profile = next;
        },
      });
    } finally {
      await release();
    }
  }

  private async write(profile: Profile): Promise<void> {
    const text = profileText(profile);
    // Parts of it are what a service said: what could not be read again would take all other contexts with it.
    assertReadable(text, this.path);
    // Where a link stands at its place, what it leads to is replaced.
    const place = await realpath(this.path).catch(() => this.path);
    const beside = `${place}.${process.pid}.new`;
    try {
      await rm(beside, { force: true });
      const handle = await open(beside, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(beside, place);
    } catch (cause) {
      await rm(beside, { force: true }).catch(() => undefined);
      throw new ShellError(`The profile ${place} cannot be written: ${reasonOf(cause)}.`, 1, {
        cause,
      });
    }
  }

  private async lock(): Promise<() => Promise<void>> {
    const path = `${this.path}.lock`;
    const end = Date.now() + this.patienceMs;
    for (;;) {
      if (await this.tryLock(path)) return () => rm(path, { force: true });
      if (Date.now() > end)
        throw new ShellError(
          `Another notary command is changing the profile. If none runs, remove ${path}*.`,
          1,
        );
      if (await isLeftBehind(path)) await removeLeftBehind(path);
      else await sleep(LOCK_POLL_MS);
    }
  }

  private async tryLock(path: string): Promise<boolean> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(holder());
      } catch (cause) {
        // Of a disk that is full: an empty lock would be nobody's, and stay.
        await rm(path, { force: true });
        throw cause;
      } finally {
        await handle.close();
      }
      return true;
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') return false;
      throw new ShellError(`The profile ${this.path} cannot be written: ${reasonOf(cause)}.`, 1, {
        cause,
      });
    }
  }
}

/** `notary init` holds it for as long as a service takes to start. */
const LOCK_PATIENCE_MS = 60_000;
const LOCK_POLL_MS = 50;

/** A few contexts take as many KiB. */
const MAX_BYTES = 1024 * 1024;

const assertReadable = (text: string, path: string): void => {
  try {
    parseProfile(text, path);
  } catch (cause) {
    throw new ShellError(
      'The service answered with something that no profile can hold, so nothing of it is kept.',
      1,
      { cause },
    );
  }
};

/** Processes are known by their ids on one machine alone, and a home directory may be that of several. */
const holder = (): string => `${process.pid} ${hostname()}`;

/** Whether the process that made the lock is gone. */
const isLeftBehind = async (path: string): Promise<boolean> => {
  const [id, host] = (await readFile(path, 'utf8').catch(() => '')).split(' ');
  const pid = Number(id);
  if (!Number.isSafeInteger(pid) || pid <= 0 || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
};

/** One at a time, and only after another look: the lock that one sees may be a new one by then. */
const removeLeftBehind = async (path: string): Promise<void> => {
  const turn = `${path}.break`;
  const handle = await open(turn, 'wx', 0o600).catch(() => null);
  if (!handle) return sleep(LOCK_POLL_MS);
  try {
    if (await isLeftBehind(path)) await rm(path, { force: true });
  } finally {
    await handle.close();
    await rm(turn, { force: true });
  }
};

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | null)?.code;
