import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Whether anchors would be lost with the database, or put back with it: they stand on one volume. False where the database
 * is on another machine, or one of the two paths cannot be read.
 *
 * @param databaseUrl `sqlite://PATH`, or anything else for a database server
 */
export const isOnVolumeOf = async (directory: string, databaseUrl: string): Promise<boolean> => {
  if (!databaseUrl.startsWith('sqlite://')) return false;
  const [anchors, database] = await Promise.all([
    volumeOf(directory),
    volumeOf(databaseUrl.slice('sqlite://'.length)),
  ]);
  return anchors !== null && anchors === database;
};

/** The device; of a directory that is still to be made, that of the nearest one above it. */
const volumeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).dev;
  } catch {
    const above = dirname(path);
    return above === path ? null : volumeOf(above);
  }
};
