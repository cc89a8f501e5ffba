import { readFile } from 'node:fs/promises';

const RUNS_FROM_SOURCES = import.meta.url.endsWith('.ts');

/** Where the build puts what is served or handed over as it is: beside the compiled code. */
export const BUILT_DOCUMENTS = new URL(
  RUNS_FROM_SOURCES ? '../../dist/docs/' : '../../docs/',
  import.meta.url,
);

/** A name of the build, never a path of whoever asks. */
const NAME = /^(?:(?:guides|reference)\/)?[a-z0-9][a-z0-9-]*(?:\.[a-z0-9]+)+$/;

/** What config/interface-documents.ts makes. */
const DESCRIBES_INTERFACE = /^(?:openapi\.|search\.json$|reference[./])/;

/** The files of `npm run build`. None is kept in memory. */
export class BuiltFolder {
  /** Null where there is no such file. */
  async read(name: string): Promise<Uint8Array | null> {
    if (!NAME.test(name)) return null;
    try {
      return await readFile(new URL(name, BUILT_DOCUMENTS));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }
}

/**
 * The files of the build, for the service. If it runs from its sources, what describes the interface is made of these: the
 * build may be older.
 */
export class ServedFolder extends BuiltFolder {
  #made: Promise<ReadonlyMap<string, string>> | null = null;

  constructor(private readonly make: (built: BuiltFolder) => Promise<ReadonlyMap<string, string>>) {
    super();
  }

  override async read(name: string): Promise<Uint8Array | null> {
    if (!RUNS_FROM_SOURCES || !DESCRIBES_INTERFACE.test(name)) return super.read(name);
    this.#made ??= this.make(new BuiltFolder());
    const text = (await this.#made).get(name);
    return text === undefined ? null : new TextEncoder().encode(text);
  }
}
