import { isUuid } from '../../../domain/kernel/ids.ts';
import type { Session } from './session.ts';

/** A path means the file, an id the record. */
export const isRecordId = (name: string): boolean => isUuid(name.toLowerCase());

/** The exports of the records that are named among files, by their names. */
export const exportsOf = async (
  names: readonly string[],
  { client }: Session,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const found = new Map<string, Uint8Array>();
  for (const name of names.filter(isRecordId))
    found.set(name, await client.export(name.toLowerCase(), { evidence: true }));
  return found;
};
