import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../../../domain/kernel/digest.ts';
import { soon, type ServiceClient } from '../service-client.ts';
import { isLeft } from './left-folder.ts';
import { isObject } from './messages.ts';
import { assertOwn, OWN } from './own-folder.ts';

/** Says whose facts wait in the folder of a key. */
const FILE = 'owner';

/** Names the service and whom the key is of, whatever key it is; null where the service does not say. */
export const ownerOf = async (
  service: Pick<ServiceClient, 'send' | 'address'>,
): Promise<string | null> => {
  try {
    const { status, text } = await service.send('GET', '/v1/auth/me', undefined, {}, soon());
    const said: unknown = status === 200 ? JSON.parse(text) : null;
    if (!isObject(said) || typeof said['ownerId'] !== 'string') return null;
    const words = [service.address, String(said['ownerType']), said['ownerId']];
    return sha256Hex(new TextEncoder().encode(words.join('\n')));
  } catch {
    return null;
  }
};

/**
 * Takes what waits for an earlier key of the same owner at the same service: after a rotation it is sent under the new
 * one. A run that is still there keeps its own.
 */
export const takeFromFormerKeys = async (
  queue: string,
  destination: string,
  owner: string,
): Promise<void> => {
  const root = join(queue, destination);
  await writeFile(join(root, FILE), owner, { mode: OWN });
  for (const other of await readdir(queue)) {
    const folder = join(queue, other);
    if (other === destination || !(await isOf(folder, owner))) continue;
    for (const run of await readdir(folder))
      // Another run may take it at the same time: it goes to one of them.
      if (await isLeft(run, join(folder, run)))
        await rename(join(folder, run), join(root, run)).catch(() => undefined);
  }
};

const isOf = async (folder: string, owner: string): Promise<boolean> => {
  try {
    await assertOwn(folder);
    return (await readFile(join(folder, FILE), 'utf8')) === owner;
  } catch {
    return false;
  }
};
