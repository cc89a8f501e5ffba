import type { DumpFile } from './dump-rows.ts';

/** Where the files of a dump are read from. */
export interface DumpSource {
  /** The bytes of a file from its beginning, in parts of any length, each of which holds until the next one is asked for; null where there is no such file. It may be asked for more than once. */
  open(file: DumpFile): AsyncIterable<Uint8Array> | null;
}
