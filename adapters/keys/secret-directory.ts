import type { Stats } from 'node:fs';
import { chmod, link, mkdir, open, readFile, realpath, stat, unlink } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/**
 * A secret could not be read or made. Whoever chose the directory puts it into words for the
 * operator.
 */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  constructor(
    readonly failed: 'make-directory' | 'make-file' | 'read-file',
    readonly path: string,
    /** Of the system, such as EACCES. */
    readonly code: string,
  ) {
    super(`${failed} ${path}: ${code}`);
  }
}

/** A directory of secrets, one a file, which only its owner may read. */
export class SecretDirectory {
  /** Sentences for the operator about modes that let other users in. */
  readonly warnings: string[] = [];
  /** Files that this process made. */
  readonly created: string[] = [];

  constructor(private readonly path: string) {}

  /**
   * Makes the directory where it is missing, and resolves to its real path.
   *
   * @throws SecretFileError
   */
  async prepare(): Promise<string> {
    try {
      const first = await mkdir(this.path, { recursive: true, mode: 0o700 });
      if (first !== undefined) await chmod(this.path, 0o700); // whatever the umask says
    } catch (cause) {
      throw new SecretFileError('make-directory', this.path, codeOf(cause));
    }
    await this.warnIfOpen(this.path, '0700');
    return realpath(this.path);
  }

  fileOf(name: string): string {
    return join(this.path, name);
  }

  /**
   * The text of a secret, or null where there is no such file. Makes nothing.
   *
   * @throws SecretFileError
   */
  async readIfThere(name: string): Promise<string | null> {
    const file = this.fileOf(name);
    try {
      const text = await this.read(file);
      await this.warnIfOpen(this.path, '0700');
      await this.warnIfOpen(file, '0600');
      return text;
    } catch (error) {
      if (error instanceof SecretFileError && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * The text of a secret. Where the file is missing, 32 fresh random bytes in base64 become it;
   * processes that start at once end with the same ones.
   *
   * @throws SecretFileError
   */
  async readOrCreate(name: string): Promise<string> {
    const file = this.fileOf(name);
    if ((await statOrNull(file)) === null && (await this.create(file))) this.created.push(file);
    await this.warnIfOpen(file, '0600');
    return this.read(file);
  }

  private read(file: string): Promise<string> {
    return readFile(file, 'utf8').catch((cause: unknown) => {
      throw new SecretFileError('read-file', file, codeOf(cause));
    });
  }

  /**
   * Makes the file whole or not at all, and only once. It is written under another name, synced to
   * the disk, and then linked to its own name, which fails where another process was first: then
   * this resolves to false. The file must survive a power cut, because a signing key may be sealed
   * under it the next moment.
   */
  private async create(file: string): Promise<boolean> {
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
      await syncDirectory(this.path);
      return true;
    } catch (cause) {
      throw new SecretFileError('make-file', file, codeOf(cause));
    }
  }

  private async warnIfOpen(path: string, mode: '0600' | '0700'): Promise<void> {
    if (process.platform === 'win32') return; // it has no such modes
    const actual = (await statOrNull(path))?.mode ?? 0;
    if ((actual & 0o077) === 0) return;
    const warning = `${path} can be read or changed by other users (mode 0${(actual & 0o777).toString(8)}). Run: chmod ${mode} ${path}`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

/** Without symbolic links; null where there is nothing. */
export const realPathOf = (path: string): Promise<string | null> =>
  realpath(path).catch(() => null);

const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return; // a directory cannot be opened there
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const statOrNull = (path: string): Promise<Stats | null> => stat(path).catch(() => null);

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause);
