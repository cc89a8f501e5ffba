import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { nameOfDumpFile, type DumpFile } from '../../domain/verification/dump/rows/dump-rows.ts';

/** Text that is held back until it is worth a write. */
const CHUNK_LENGTH = 1024 * 1024;

/**
 * A new directory for the files of a dump: readable by its owner alone, and on the disk when it is closed. What was
 * written is removed again where the dump fails.
 */
export class DumpDirectory {
  private readonly written: string[] = [];

  private constructor(readonly path: string) {}

  /** @throws Error where there is something in it, or it cannot be made. */
  static async make(given: string): Promise<DumpDirectory> {
    const path = resolve(given);
    await mkdir(path, { recursive: true, mode: 0o700 });
    if ((await readdir(path)).length > 0)
      throw new Error(`${path} is not empty; a dump replaces no file. Give a new directory.`);
    return new DumpDirectory(path);
  }

  async write(
    file: DumpFile,
    rows: AsyncIterable<JsonObject>,
    onRow: () => void = () => undefined,
  ): Promise<void> {
    const path = join(this.path, nameOfDumpFile(file));
    const handle = await open(path, 'wx', 0o600);
    this.written.push(path);
    try {
      await writeLines(handle, rows, onRow);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Makes the names durable. */
  async close(): Promise<void> {
    const handle = await open(this.path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async discard(): Promise<void> {
    for (const path of this.written) await rm(path, { force: true });
  }
}

const writeLines = async (
  handle: FileHandle,
  rows: AsyncIterable<JsonObject>,
  onRow: () => void,
): Promise<void> => {
  let text = '';
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`;
    onRow();
    if (text.length < CHUNK_LENGTH) continue;
    await handle.writeFile(text);
    text = '';
  }
  await handle.writeFile(text);
};
