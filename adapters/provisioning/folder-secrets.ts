import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { SecretFile, SecretFiles } from '../../application/provisioning/secret-files.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';

const HELD = /^\.held-([0-9a-f-]{36})-(.+)$/;

/**
 * Secrets in a folder of this machine, one a file. A held one is hidden and named by its row; its name comes by a hard
 * link, which never replaces a file.
 */
export class FolderSecrets implements SecretFiles {
  /**
   * @param folder null where none is configured.
   * @param outside a folder that it must not be in, wherever links lead.
   */
  constructor(
    private readonly folder: string | null,
    private readonly outside: string,
  ) {}

  async assertFree(name: string): Promise<void> {
    const folder = await this.safeFolder(false);
    if (!(await exists(join(folder, name)))) return;
    throw unusable(
      `There is a file ${join(folder, name)} already. Collect it and move it away; a secret is never written over another.`,
    );
  }

  async hold(file: SecretFile, secret: string): Promise<void> {
    const folder = await this.safeFolder();
    const target = join(folder, heldName(file));
    const draft = `${target}.draft`;
    await removed(draft);
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${secret}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
    await synced(folder);
  }

  async release(file: SecretFile): Promise<string> {
    const folder = await this.safeFolder();
    const held = join(folder, heldName(file));
    const target = await freeName(folder, held, file);
    await synced(folder);
    await removed(held);
    return target;
  }

  async drop(file: SecretFile): Promise<void> {
    if (this.folder !== null) await removed(join(this.folder, heldName(file)));
  }

  async held(): Promise<readonly (SecretFile & { readonly ageMs: number })[]> {
    if (this.folder === null || !(await exists(this.folder))) return [];
    const found = [];
    for (const entry of await readdir(this.folder)) {
      const [, id = '', name = ''] = HELD.exec(entry) ?? [];
      if (!isUuid(id) || name.endsWith('.draft')) continue;
      const { mtimeMs } = await stat(join(this.folder, entry));
      found.push({ id, name, ageMs: Date.now() - mtimeMs });
    }
    return found;
  }

  private async safeFolder(mayMake = true): Promise<string> {
    const { folder, outside } = this;
    if (folder === null)
      throw unusable(
        'A secret would be made, and there is no folder to write it into: set PROVISIONING_SECRETS_DIR.',
      );
    try {
      if (mayMake) await mkdir(folder, { recursive: true, mode: 0o700 });
      const isThere = await exists(folder);
      const place = isThere ? await realpath(folder) : await placeOf(folder);
      if (isWithin(place, await realpath(outside).catch(() => outside)))
        throw unusable(
          'PROVISIONING_SECRETS_DIR leads into DATA_DIR: a backup of the data would hold the secrets.',
        );
      // One that is made later is its owner's alone.
      if (!isThere) return place;
      const found = await stat(place);
      if (!found.isDirectory()) throw unusable('PROVISIONING_SECRETS_DIR cannot be used: ENOTDIR.');
      const { mode } = found;
      if ((mode & 0o022) !== 0)
        throw unusable(
          'Others than its owner may write into PROVISIONING_SECRETS_DIR. Take that right away: chmod 700.',
        );
      return place;
    } catch (error) {
      if (error instanceof NotaryError) throw error;
      const code = (error as { code?: unknown }).code;
      throw unusable(`PROVISIONING_SECRETS_DIR cannot be used: ${String(code)}.`);
    }
  }
}

const heldName = ({ id, name }: SecretFile): string => `.held-${id}-${name}`;

/** Links the held file to its name; where that is taken meanwhile, to one with the id. */
const freeName = async (
  folder: string,
  held: string,
  { id, name }: SecretFile,
): Promise<string> => {
  for (const candidate of [name, `${name}.${id}`]) {
    const target = join(folder, candidate);
    try {
      await link(held, target);
      await chmod(target, 0o600);
      return target;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== 'EEXIST') throw error;
      // A crash after the link: it is the same file.
      if ((await stat(target)).ino === (await stat(held)).ino) return target;
    }
  }
  throw unusable(`There are files ${name} and ${name}.${id} already. Move them away.`);
};

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const removed = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
};

/** So that a name is on the disk as well. */
const synced = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Where a folder will be that is not there yet, whichever links lead to it. */
const placeOf = async (folder: string): Promise<string> => {
  const above = dirname(folder);
  if (above === folder) return folder;
  const place = (await exists(above)) ? await realpath(above) : await placeOf(above);
  return join(place, basename(folder));
};

const isWithin = (inner: string, outer: string): boolean => {
  const way = relative(outer, inner);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
};

const unusable = (detail: string): NotaryError => new NotaryError('UNPROCESSABLE', detail);
