import { constants } from 'node:fs';
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The mode of a file or directory, without its type; null where there is none, or the system has no such modes. */
export const modeOf = async (path: string): Promise<number | null> => {
  if (process.platform === 'win32') return null;
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return null;
  }
};

/** What a path leads to; null if there is nothing. A link counts as what it leads to. */
export const kindOf = async (path: string): Promise<'directory' | 'file' | 'other' | null> => {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other';
  } catch {
    return null;
  }
};

/** What is in a directory; nothing where it cannot be read. */
export const namesIn = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);

/** Why this user could not write there: a code of the system; null where it can. What is missing would have to be made. */
export const writeFault = async (path: string): Promise<string | null> => {
  try {
    await access(path, constants.W_OK);
    return null;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    return code === 'ENOENT' && above !== path ? writeFault(above) : code;
  }
};

export interface Room {
  readonly freeBytes: number;
  /** Of what this user may use, from 0 to 1. */
  readonly freeShare: number;
}

/** Of the volume of a path, or of the nearest directory above it that is there. */
export const roomAt = async (path: string): Promise<Room> => {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(path);
    const usable = blocks - bfree + bavail;
    return { freeBytes: bavail * bsize, freeShare: usable > 0 ? bavail / usable : 1 };
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    return roomAt(above);
  }
};

/** How many files this process may have open; null where the system does not tell. */
export const openFilesLimit = async (): Promise<number | null> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
};
