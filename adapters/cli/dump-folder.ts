import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DUMP_FILES,
  nameOfDumpFile,
  type DumpFile,
} from '../../domain/verification/dump/rows/dump-rows.ts';
import type { DumpSource } from '../../domain/verification/dump/rows/dump-source.port.ts';

/** Whether a folder holds a file of a dump. */
export const isDumpFolder = async (name: string): Promise<boolean> =>
  name !== '-' && (await sizesIn(name)).size > 0;

/** The files of a dump that are there, with their bytes. A pipe or a device is none: to read it might never end. */
const sizesIn = async (folder: string): Promise<ReadonlyMap<DumpFile, number>> => {
  const sizes = new Map<DumpFile, number>();
  for (const file of DUMP_FILES)
    try {
      const found = await stat(join(folder, nameOfDumpFile(file)));
      if (found.isFile()) sizes.set(file, found.size);
    } catch {
      // What is missing is said by the verification.
    }
  return sizes;
};

/** Reads the files of a dump, and counts what was read of them. */
export class DumpFolder implements DumpSource {
  private done = 0;

  private constructor(
    private readonly folder: string,
    private readonly sizes: ReadonlyMap<DumpFile, number>,
    private readonly onRead: (done: number, total: number) => void,
  ) {}

  /** @param onRead is told how many bytes were read and how many there are; what is read again does not count. */
  static async open(
    folder: string,
    onRead: (done: number, total: number) => void,
  ): Promise<DumpFolder> {
    return new DumpFolder(folder, await sizesIn(folder), onRead);
  }

  private readonly opened = new Set<DumpFile>();

  /** Of all files. */
  get bytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  open(file: DumpFile): AsyncIterable<Uint8Array> | null {
    if (!this.sizes.has(file)) return null;
    const isFirst = !this.opened.has(file);
    this.opened.add(file);
    return this.read(file, isFirst);
  }

  private async *read(file: DumpFile, counts: boolean): AsyncIterable<Uint8Array> {
    const total = this.bytes;
    const path = join(this.folder, nameOfDumpFile(file));
    const handle = await open(path, 'r');
    try {
      // One buffer for all of it: a new one for each part would only wait for the garbage collector.
      const buffer = new Uint8Array(256 * 1024);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return;
        if (counts) this.onRead((this.done += bytesRead), total);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }
}
