import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a demo puts what it makes. */
export interface DemoPlace {
  /** An absolute path. */
  readonly directory: string;
  /** Whether the demo made it for itself, so that nothing else is in it. */
  readonly isTemporary: boolean;
  /** Takes away everything that was made here, and the directories that were made for it. */
  clear(): Promise<void>;
}

const PREFIX = 'notary-demo-';
const TEMPORARY = /^notary-demo-[A-Za-z0-9]{6}$/;

/**
 * @param given a directory that is empty or does not exist; without one, a new temporary one.
 * @throws Error in words for whoever gave it.
 */
export const demoPlace = async (given?: string): Promise<DemoPlace> => {
  if (given === undefined) {
    const directory = await mkdtemp(join(tmpdir(), PREFIX));
    return { directory, isTemporary: true, clear: () => removeTree(directory) };
  }
  const directory = resolve(given);
  const made = await madeDirectory(directory);
  const clear = async (): Promise<void> => {
    if (made !== undefined) return removeTree(made);
    for (const name of await readdir(directory)) await removeTree(join(directory, name));
  };
  return { directory, isTemporary: false, clear };
};

/** Removes a temporary directory of a demo, and refuses any other. */
export const removeDemoDirectory = async (directory: string): Promise<void> => {
  if (!TEMPORARY.test(basename(directory)))
    throw new Error(`${directory} is no temporary directory of a demo; it is left as it is.`);
  // Not every system lets a directory go in which somebody works.
  process.chdir(dirname(directory));
  await removeTree(directory);
};

/** The first directory that had to be made, undefined where all of them were there. */
const madeDirectory = async (directory: string): Promise<string | undefined> => {
  try {
    const made = await mkdir(directory, { recursive: true });
    if ((await readdir(directory)).length === 0) return made;
  } catch (error) {
    throw new Error(
      `The directory ${directory} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
  throw new Error(
    `The directory ${directory} is not empty, and a demo begins on an empty one. Name a new directory, or none for a temporary one.`,
  );
};

const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
