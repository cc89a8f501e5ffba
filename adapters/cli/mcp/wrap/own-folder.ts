import { stat } from 'node:fs/promises';

/** For nobody but this user. */
export const OWN = 0o600;
export const OWN_FOLDER = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/** @throws where others may write into it: what lies there is sent with the key. */
export const assertOwn = async (folder: string): Promise<void> => {
  const { mode, uid } = await stat(folder);
  if ((mode & WRITABLE_BY_OTHERS) !== 0) throw new Error('others may write into it');
  if (uid !== (process.getuid?.() ?? uid)) throw new Error('it is another user’s');
};
