import { readFile } from 'node:fs/promises';

/** Where the build puts what is served or handed over as it is: beside the compiled code. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/docs/' : '../../docs/',
  import.meta.url,
);

/** A name of the build, never a path of whoever asks. */
const NAME = /^(?:guides\/)?[a-z0-9][a-z0-9-]*(?:\.[a-z0-9]+)+$/;

/** The files of `npm run build`. None is kept in memory. */
export class BuiltFolder {
  /** Null where there is no such file. */
  async read(name: string): Promise<Uint8Array | null> {
    if (!NAME.test(name)) return null;
    try {
      return await readFile(new URL(name, FOLDER));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }
}
