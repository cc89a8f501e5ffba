import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, which Linux has by default. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Puts the temporary files of a run, databases above all, into memory if the machine has room there: a commit waits 2.5 ms
 * for a common disk, and the suites make hundreds of thousands of them. The suites end processes by SIGKILL and never cut
 * the power, so no test can see a difference.
 */
export const setup = (): (() => void) | undefined => {
  // Each project of the run calls this, and a caller may have chosen such a folder.
  if (process.env['TMPDIR']?.startsWith(MEMORY) || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, 'notary-tests-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (!runsPrograms(folder)) return void remove();
  process.env['TMPDIR'] = folder;
  return remove;
};

const hasRoom = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > NEEDED_BYTES;
  } catch {
    return false;
  }
};

/** Containers mount it so that nothing in it can be executed; some suites execute what they write. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  }
};
