import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlain } from '../plain-header.ts';
import { folderOf, isLeft } from './left-folder.ts';
import { takeFromFormerKeys } from './former-keys.ts';
import { isObject } from './messages.ts';
import { endsOf, KEPT, OPEN, type LeftFile } from './open-calls.ts';
import { assertOwn, OWN, OWN_FOLDER } from './own-folder.ts';

/** What is sent to the service: under this key it acts once, however often it is sent. */
export interface Spooled {
  readonly key: string;
  /** The body of POST /v1/records. */
  readonly body: { readonly [member: string]: unknown };
}

/** What no run sends by itself. */
const ASIDE = ['refused', 'failing'] as const;
export type Aside = (typeof ASIDE)[number];
/** What somebody put here is sent once more. */
const AGAIN = 'again';
/** How often a run says of its folder that it is not left. */
const BEAT_MS = 60_000;

/**
 * What is not sealed yet, on the disk: a file for each, readable by its owner alone. What is for one service and key has
 * a folder, for it is nobody else's business; a run has one of its own in that, and takes over what earlier ones left.
 */
export class Spool {
  private count = 0;
  /** Names of calls that have no end yet. */
  private readonly open = new Set<string>();
  /** Two runs that begin at once name no two files alike: one of them may take the other's over. */
  private readonly run = randomUUID();
  private readonly folder: string;
  private readonly beat: NodeJS.Timeout;

  private constructor(private readonly root: string) {
    this.folder = join(root, folderOf(this.run));
    this.beat = setInterval(() => void touch(this.folder), BEAT_MS).unref();
  }

  /**
   * @param destination names the service and the key that all of it is for.
   * @param owner names whom the key is of: what waits for an earlier key of the same one is taken over as well.
   * @throws where the folder cannot be used, or others may write into it: what lies there is sent with the key.
   */
  static async open(
    queue: string,
    destination: string,
    owner: string | null = null,
  ): Promise<Spool> {
    const root = join(queue, destination);
    await mkdir(root, { recursive: true, mode: OWN_FOLDER });
    await assertOwn(queue);
    await assertOwn(root);
    if (owner !== null) await takeFromFormerKeys(queue, destination, owner);
    const spool = new Spool(root);
    try {
      await mkdir(spool.folder, { mode: OWN_FOLDER });
      await spool.takeOver();
    } catch (error) {
      await spool.close();
      throw error;
    }
    return spool;
  }

  /** Names sort as they were given. */
  nextName(): string {
    const [at, count] = [Date.now(), this.count++];
    return `${String(at).padStart(14, '0')}-${String(count).padStart(9, '0')}-${this.run}.json`;
  }

  /**
   * It is on the disk then, safe from the end of this process. What writes and removes waits for the disk itself: the
   * call of a tool waits as well, and longer where others do it.
   */
  add(name: string, spooled: Spooled): void {
    try {
      this.write(name, spooled);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // This process slept so long that another run took the folder for one that was left.
      mkdirSync(this.folder, { recursive: true, mode: OWN_FOLDER });
      this.write(name, spooled);
    }
  }

  /** Oldest first. */
  async waiting(): Promise<readonly string[]> {
    const names = await readdir(this.folder);
    return names.filter((name) => name.endsWith('.json')).sort();
  }

  /** @throws where it is none, such as half of one. */
  async read(name: string): Promise<Spooled> {
    const value: unknown = JSON.parse(await readFile(join(this.folder, name), 'utf8'));
    if (!isSpooled(value)) throw new Error('it is no fact');
    return value;
  }

  /** It is sealed. Of a call that has no end yet something stays, for whoever comes after a wrapper that is killed. */
  remove(name: string): void {
    const path = join(this.folder, name);
    ifThere(() => (this.open.has(name) ? renameSync(path, this.markOf(name)) : unlinkSync(path)));
  }

  /** The fact of this name is a call, and has no end yet. */
  begins(name: string): void {
    this.open.add(name);
  }

  /** Its end is on the disk. */
  ends(name: string): void {
    this.open.delete(name);
    ifThere(() => unlinkSync(this.markOf(name)));
  }

  /** It was refused, and waits for the next run. */
  async keep(name: string): Promise<void> {
    const kept = name.replace(/\.json$/, KEPT);
    if (!name.endsWith(KEPT)) await rename(join(this.folder, name), join(this.folder, kept));
  }

  /** What the service does not take is kept for whoever looks after it. @returns where. */
  async setAside(name: string, where: Aside): Promise<string> {
    const folder = join(this.root, where);
    await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
    const path = join(folder, name);
    await rename(join(this.folder, name), path);
    return path;
  }

  /** What was set aside, by this run and earlier ones. */
  async aside(): Promise<readonly { readonly folder: string; readonly count: number }[]> {
    const found = await Promise.all(
      ASIDE.map(async (where) => {
        const folder = join(this.root, where);
        return { folder, count: (await readdir(folder).catch(() => [])).length };
      }),
    );
    return found.filter(({ count }) => count > 0);
  }

  /** The folder goes where nothing is left in it. */
  async close(): Promise<void> {
    clearInterval(this.beat);
    await rmdir(this.folder).catch(() => undefined);
  }

  private markOf(name: string): string {
    return join(this.folder, name.replace(/\.json$/, OPEN));
  }

  private write(name: string, spooled: Spooled): void {
    const path = join(this.folder, name);
    try {
      writeFileSync(path, JSON.stringify(spooled), { flag: 'wx', mode: OWN });
    } catch (error) {
      // Half of it is of no use.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
      throw error;
    }
  }

  /** Another name of a file where two that were left have the same. */
  private placeOf(file: string, taken: Set<string>): string {
    const name = taken.has(file) ? file.replace(/(?=\.\w+$)/, `-${randomUUID()}`) : file;
    taken.add(name);
    return join(this.folder, name);
  }

  private async takeOver(): Promise<void> {
    const taken = new Set<string>();
    for (const name of await readdir(this.root)) {
      const left = join(this.root, name);
      if (left === this.folder || (name !== AGAIN && !(await isLeft(name, left)))) continue;
      // Another run may take it over at the same time: each file goes to one of them.
      for (const file of await readdir(left).catch(() => []))
        if (file.endsWith('.json') || file.endsWith(OPEN))
          await rename(join(left, file), this.placeOf(file, taken)).catch(() => undefined);
        else await rm(join(left, file), { force: true });
      // Kept where something is in it: what could not be taken over is not lost.
      await rmdir(left).catch(() => undefined);
    }
    await this.endWhatIsOpen();
  }

  private async endWhatIsOpen(): Promise<void> {
    const names = await readdir(this.folder);
    const files: LeftFile[] = [];
    for (const name of names) {
      const spooled = await this.read(name).catch(() => null);
      if (spooled) files.push({ name, spooled });
    }
    for (const { name, spooled } of endsOf(files, new Date().toISOString()))
      this.write(name, spooled);
    for (const name of names)
      if (name.endsWith(OPEN)) await rm(join(this.folder, name), { force: true });
  }
}

/** Where facts wait for another service or key, and how many. */
export const waitingElsewhere = async (
  queue: string,
  destination: string,
): Promise<readonly { readonly folder: string; readonly count: number }[]> => {
  const found: { readonly folder: string; readonly count: number }[] = [];
  for (const other of await readdir(queue)) {
    if (other === destination) continue;
    const folder = join(queue, other);
    let count = 0;
    for (const run of await readdir(folder).catch(() => [])) {
      if (!(await isLeft(run, join(folder, run)))) continue;
      const files = await readdir(join(folder, run)).catch(() => []);
      count += files.filter((name) => name.endsWith('.json')).length;
    }
    if (count > 0) found.push({ folder, count });
  }
  return found;
};

/** Somebody may have edited it: what is sent must be such that it can be. */
const isSpooled = (value: unknown): value is Spooled =>
  isObject(value) && isPlain(value['key']) && isObject(value['body']);

/** Another run may have taken it over. */
const ifThere = (act: () => void): void => {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const touch = async (folder: string): Promise<void> => {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
};
