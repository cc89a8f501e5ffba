import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  AnchorError,
  MAX_ANCHOR_BYTES,
  type AnchoredObject,
  type AnchorStore,
} from '../../../domain/vault/anchor.port.ts';

/**
 * Files that are written once. A file appears under its name whole or not at all: it is written and synced beside it, and
 * then linked, which fails where the name is taken.
 */
export class FilesystemAnchors implements AnchorStore {
  readonly backend = 'filesystem';

  /** @param directory absolute; made with the first anchor. */
  constructor(private readonly directory: string) {}

  put(key: string, bytes: Uint8Array): Promise<'written' | 'present'> {
    return attempt(async () => {
      const file = this.fileOf(key);
      const folder = dirname(file);
      await makeFolder(folder);
      const draft = join(folder, `.${randomUUID()}.draft`);
      await writeSynced(draft, bytes);
      try {
        await link(draft, file);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        if (!(await beginOf(file)).equals(bytes))
          throw new AnchorError('differs', `${file} holds other bytes`);
        return 'present';
      } finally {
        await unlink(draft);
      }
      await syncFolder(folder);
      return 'written';
    });
  }

  get(key: string): Promise<Uint8Array | null> {
    return attempt(() =>
      beginOf(this.fileOf(key)).then(
        (bytes) => new Uint8Array(bytes),
        (error: unknown) => {
          if (codeOf(error) === 'ENOENT') return null;
          throw error;
        },
      ),
    );
  }

  async *list(prefix: string): AsyncGenerator<AnchoredObject> {
    const cut = prefix.lastIndexOf('/') + 1;
    yield* this.listIn(prefix.slice(0, cut), prefix.slice(cut));
  }

  /** @param folder as a key begins, empty or with a slash at its end. */
  private async *listIn(folder: string, start: string): AsyncGenerator<AnchoredObject> {
    const found = await attempt(() =>
      readdir(join(this.directory, folder), { withFileTypes: true }).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }),
    );
    const entries = found
      .filter(({ name }) => name.startsWith(start) && !name.startsWith('.'))
      .map((entry) => ({
        isFolder: entry.isDirectory(),
        key: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { key, isFolder } of entries) {
      if (isFolder) yield* this.listIn(key, '');
      else {
        const found = await attempt(() => fileAt(join(this.directory, key)));
        if (found) yield { key, size: found.size, lastModified: found.mtime.toISOString() };
      }
    }
  }

  private fileOf(key: string): string {
    if (!/^[\w:-][\w:.-]*(\/[\w:-][\w:.-]*)*$/.test(key))
      throw new TypeError(`no key of an anchor: ${key}`);
    return join(this.directory, key);
  }
}

/** Makes the folder, and its name durable in each folder above that is new. */
const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first) return;
  }
};

const writeSynced = async (file: string, bytes: Uint8Array): Promise<void> => {
  // Read-only: nobody changes it by mistake.
  const handle = await open(file, 'wx', 0o400);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Of what is no file nothing: a pipe would be waited for, for ever. */
const beginOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return Buffer.alloc(0);
    const bytes = Buffer.alloc(MAX_ANCHOR_BYTES);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, length));
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
};

/** Null for what is no file, and for a link that leads nowhere. */
const fileAt = async (path: string): Promise<Stats | null> => {
  try {
    const found = await stat(path);
    return found.isFile() ? found : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AnchorError || cause instanceof TypeError) throw cause;
    throw new AnchorError('unavailable', `the directory of anchors: ${(cause as Error).message}`, {
      cause,
    });
  }
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
