import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a fixed size, which a test can fill. */
export interface SmallDisk {
  readonly directory: string;
  fill(): void;
  /** Removes what `fill` wrote. */
  makeRoom(): void;
  drop(): void;
}

/** Null if this user may not mount. */
export const smallDisk = (mebibytes: number): SmallDisk | null => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', directory];
  if (spawnSync('mount', options).status !== 0) {
    rmSync(directory, { recursive: true });
    return null;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    fill: () => {
      const file = openSync(filler, 'a');
      // The last pages are filled one by one, because a write of many is refused as a whole or cut short.
      for (const size of [2 ** 20, 4096, 1])
        for (const bytes = Buffer.alloc(size); ;)
          try {
            writeSync(file, bytes);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            break;
          }
      closeSync(file);
    },
    makeRoom: () => rmSync(filler, { force: true }),
    drop: () => {
      spawnSync('umount', ['-l', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
