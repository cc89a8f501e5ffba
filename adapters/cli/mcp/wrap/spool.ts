import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** What is sent to the service: under this key it acts once, however often it is sent. */
export interface Spooled {
  readonly key: string;
  /** The body of POST /v1/records. */
  readonly body: { readonly [member: string]: unknown };
}

const OWN = 0o600;
const OWN_FOLDER = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const REFUSED = 'refused';
/** What another machine left in a folder that both use: nothing there changed for so long. */
const LEFT_AFTER_MS = 3_600_000;

/**
 * What is not sealed yet, on the disk: a file for each, readable by its owner alone. A run has a folder of its own,
 * named by its machine and process; what an earlier one left is taken over by the next.
 */
export class Spool {
  private count = 0;

  private constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {}

  /** @throws where the folder cannot be used, or others may write into it: what lies there is sent with the key. */
  static async open(root: string): Promise<Spool> {
    await mkdir(root, { recursive: true, mode: OWN_FOLDER });
    const { mode } = await stat(root);
    if ((mode & WRITABLE_BY_OTHERS) !== 0) throw new Error('others may write into it');
    const folder = join(root, `${machine()}-${process.pid}-${randomUUID()}`);
    await mkdir(folder, { mode: OWN_FOLDER });
    const spool = new Spool(root, folder);
    await spool.takeOver();
    return spool;
  }

  /** Names sort as they were given. */
  nextName(): string {
    return `${String(Date.now()).padStart(14, '0')}-${String(this.count++).padStart(9, '0')}.json`;
  }

  /** It is on the disk when this resolves, safe from the end of this process. */
  async add(name: string, spooled: Spooled): Promise<void> {
    const path = join(this.folder, name);
    const handle = await open(`${path}.part`, 'wx', OWN);
    try {
      await handle.writeFile(JSON.stringify(spooled));
    } finally {
      await handle.close();
    }
    await rename(`${path}.part`, path);
  }

  /** Oldest first. */
  async waiting(): Promise<readonly string[]> {
    const names = await readdir(this.folder);
    return names.filter((name) => name.endsWith('.json')).sort();
  }

  async read(name: string): Promise<Spooled> {
    return JSON.parse(await readFile(join(this.folder, name), 'utf8')) as Spooled;
  }

  remove(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true });
  }

  /** What the service will never take is kept for whoever looks after it. @returns where. */
  async setAside(name: string): Promise<string> {
    const folder = join(this.root, REFUSED);
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
    const path = join(folder, name);
    await rename(join(this.folder, name), path);
    return path;
  }

  /** The folder goes where nothing is left in it. */
  async close(): Promise<void> {
    await rmdir(this.folder).catch(() => undefined);
  }

  private async takeOver(): Promise<void> {
    for (const name of await readdir(this.root)) {
      const left = join(this.root, name);
      if (!(await isLeft(name, left))) continue;
      // Another run may take it over at the same time: each file goes to one of them.
      for (const file of await readdir(left).catch(() => []))
        if (file.endsWith('.json'))
          await rename(join(left, file), join(this.folder, file)).catch(() => undefined);
      await rm(left, { recursive: true, force: true });
    }
  }
}

const machine = (): string => hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');

const isLeft = async (name: string, path: string): Promise<boolean> => {
  const [, of, pid] = /^([A-Za-z0-9._]+)-(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
  if (of === undefined) return false;
  if (of === machine()) return !isAlive(Number(pid));
  const changed = await stat(path).catch(() => null);
  return changed !== null && Date.now() - changed.mtimeMs > LEFT_AFTER_MS;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
