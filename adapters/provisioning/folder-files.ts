import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { isKind, KINDS, type Kind } from '../../application/ports/kinds.ts';
import type {
  ProvisioningFiles,
  ReadFile,
  ReadFolder,
} from '../../application/provisioning/provisioning-files.port.ts';
import { DocumentError } from './document-error.ts';

/** No document comes near it: a manifest of this size is refused by its operation. */
export const MAX_FILE_BYTES = 512 * 1024;
export const MAX_FILES = 10_000;
/** Of all files together, bytes: so much of them is in memory at once. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const DOCUMENT = /\.(?:ya?ml|json)$/i;

type Fault = ReadFolder['faults'][number];

/** Provisioning files in a folder of this machine, one folder a kind. */
export class FolderFiles implements ProvisioningFiles {
  constructor(readonly path: string | null) {}

  async read(): Promise<ReadFolder> {
    const reading = new Reading(this.path ?? '');
    await reading.all();
    return reading.result();
  }
}

class Reading {
  private readonly kinds = new Set<Kind>();
  private readonly files: ReadFile[] = [];
  private readonly faults: Fault[] = [];
  private root = '';
  private count = 0;
  private bytes = 0;

  constructor(private readonly path: string) {}

  result(): ReadFolder {
    return { kinds: this.kinds, files: this.files, faults: this.faults };
  }

  async all(): Promise<void> {
    try {
      this.root = await realpath(this.path);
      for (const name of await namesIn(this.root)) {
        const file = isKind(name) ? `${name}/` : name;
        if (!isKind(name)) this.unknown(name, await isFolder(join(this.root, name)));
        else if (await this.isWithin(join(this.root, name))) await this.folder(name);
        else this.fail(name, file, 'is a link out of the folder of the files. It is not followed.');
      }
    } catch (error) {
      this.fail(null, '', `The folder ${this.path} cannot be read: ${reasonOf(error)}.`);
    }
  }

  private unknown(name: string, folder: boolean): void {
    if (folder) this.fail(null, name, `is no kind of provisioning. There are ${KINDS.join(', ')}.`);
    else if (DOCUMENT.test(name))
      this.fail(null, name, 'stands in no folder of a kind, so nobody knows what it is.');
  }

  private async folder(kind: Kind): Promise<void> {
    try {
      const names = await namesIn(join(this.root, kind));
      this.kinds.add(kind);
      for (const name of names) {
        if (++this.count > MAX_FILES) return this.beyond(kind);
        await this.file(kind, name);
      }
    } catch (error) {
      this.fail(kind, `${kind}/`, `cannot be read: ${reasonOf(error)}.`);
    }
  }

  private beyond(kind: Kind): void {
    this.fail(
      kind,
      `${kind}/`,
      `holds files beyond the first ${MAX_FILES} of all folders, in the order of their names; they were not read.`,
    );
  }

  private async file(kind: Kind, name: string): Promise<void> {
    const file = `${kind}/${name}`;
    try {
      const bytes = await this.bytesOf(join(this.root, kind, name), name);
      if (bytes === null) return;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      // The parser of YAML is loaded with the first file.
      const { parseDocument } = await import('./parse-document.ts');
      const value = parseDocument(bytes, /\.json$/i.test(name) ? 'json' : 'yaml');
      this.files.push({ file, kind, sha256, value });
    } catch (error) {
      if (error instanceof DocumentError) this.fail(kind, file, error.message, error.pointer);
      else this.fail(kind, file, `cannot be read: ${reasonOf(error)}.`);
    }
  }

  /** Null of what is there for people. */
  private async bytesOf(path: string, name: string): Promise<Uint8Array | null> {
    if (!(await this.isWithin(path)))
      throw new DocumentError('is a link out of the folder of the files. It is not followed.');
    if (!DOCUMENT.test(name)) {
      if (/^readme/i.test(name)) return null;
      if (await isFolder(path))
        throw new DocumentError('is a folder. Files stand in the folder of their kind itself.');
      throw new DocumentError('is no .yaml, .yml or .json file.');
    }
    // A named pipe would hold up the service until somebody writes.
    const handle = await open(await realpath(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = this.regular(await handle.stat());
      // The file may grow while it is read.
      const buffer = Buffer.alloc(size + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === buffer.length) break;
      }
      if (length > size) throw new DocumentError('changed while it was read. Reload again.');
      return buffer.subarray(0, length);
    } finally {
      await handle.close();
    }
  }

  private regular(stats: { isFile(): boolean; readonly size: number }): { readonly size: number } {
    if (!stats.isFile()) throw new DocumentError('is no regular file.');
    if (stats.size > MAX_FILE_BYTES)
      throw new DocumentError(
        `has ${stats.size} bytes; at most ${MAX_FILE_BYTES} are read. Split it, or make it shorter.`,
      );
    this.bytes += stats.size;
    if (this.bytes > MAX_TOTAL_BYTES)
      throw new DocumentError(`is beyond the first ${MAX_TOTAL_BYTES} bytes; it was not read.`);
    return stats;
  }

  /** Links within the folder are how volumes of orchestrators are made. */
  private async isWithin(path: string): Promise<boolean> {
    const way = relative(this.root, await realpath(path));
    return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
  }

  private fail(kind: Kind | null, file: string, message: string, pointer = ''): void {
    this.faults.push({ kind, file, pointer, message });
  }
}

/** Sorted, without hidden ones. */
const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it is not there'],
  ['EACCES', 'the user of the service may not read it'],
  ['EPERM', 'the user of the service may not read it'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENOTDIR', 'it is no folder'],
  ['EISDIR', 'it is a folder'],
]);

const reasonOf = (error: unknown): string => {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? (REASONS.get(code) ?? code) : 'the system refused';
};
