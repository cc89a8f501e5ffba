import { sqliteFileOf } from '../adapters/sql/database/sqlite-file.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { ANCHORS, readAnchorKey } from '../domain/vault/anchor-key.ts';
import { AnchorError, type AnchoredObject } from '../domain/vault/anchor.port.ts';
import { anchorStoreOf } from './features/anchor-module.ts';
import { secretFiles } from './secrets.ts';
import type { Settings } from './settings-table.ts';
import { StartError } from './start-error.ts';

/**
 * Refuses to begin a new vault if an earlier one left its anchors, because its data is then missing and not new.
 *
 * Secrets alone do not stop a start. A first start that was interrupted leaves them without a vault, an operator may
 * set them before the first start, and several databases may be given the same ones.
 *
 * @param isNew whether the database still holds no vault.
 */
export const assertNoEarlierVault = async (
  settings: Settings,
  isNew: () => Promise<boolean>,
): Promise<void> => {
  if (!(await isNew())) return;
  const told = await earlierVault(settings);
  // Another process may have begun the vault and anchored it meanwhile.
  if (told === null || !(await isNew())) return;
  throw new StartError(`${told} Nothing was written.`);
};

/** What shows that a vault was here, and what to do; null if nothing shows it. */
export const earlierVault = async (settings: Settings): Promise<string | null> => {
  const anchor = await anyAnchor(settings);
  if (anchor === null) return null;
  const { ANCHOR, ANCHOR_PATH, ANCHOR_S3_BUCKET, DATABASE_URL, DATA_DIR } = settings;
  const file = sqliteFileOf(DATABASE_URL);
  const isInDataDir = DATABASE_URL.startsWith(`sqlite://${DATA_DIR}/`);
  const where = ANCHOR === 's3' ? `the bucket ${ANCHOR_S3_BUCKET}` : ANCHOR_PATH;
  const files = Object.values(await secretFiles(settings));
  const secrets = files.length > 0 ? ` Secrets are at ${files.join(', ')}.` : '';
  const elsewhere =
    ANCHOR === 's3'
      ? 'set ANCHOR_S3_BUCKET to another bucket'
      : 'set ANCHOR_PATH to an empty directory, or move the anchors to another place';
  return [
    `${isInDataDir ? 'DATA_DIR' : 'DATABASE_URL'}: ${file ?? 'the database'} holds no vault, but ${where} holds anchors of an earlier one, such as ${anchor.key} of ${anchor.lastModified}.${secrets}`,
    `Its database is missing: mount it, correct ${isInDataDir ? 'DATA_DIR' : 'DATABASE_URL'}, or restore a backup${file !== null ? ': notary restore FILE' : ''}.`,
    `To begin a new vault on purpose, ${elsewhere}. Keep the old anchors: they prove what the earlier vault sealed.`,
  ].join(' ');
};

/** Null if the anchors cannot be read: then nothing but the first key is signed until they can. */
const anyAnchor = async (settings: Settings): Promise<AnchoredObject | null> => {
  const store = anchorStoreOf(settings, new SystemClock());
  if (store === null) return null;
  try {
    for await (const object of store.list(ANCHORS))
      if (readAnchorKey(object.key) !== null) return object;
    return null;
  } catch (error) {
    if (error instanceof AnchorError) return null;
    throw error;
  }
};
