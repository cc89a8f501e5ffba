import { mkdir, rm, writeFile } from 'node:fs/promises';
import { BUILT_DOCUMENTS } from './built-folder.ts';

/** Writes the files that describe the interface beside the other files of the build. */
export const writeDocuments = async (files: ReadonlyMap<string, string>): Promise<void> => {
  const reference = new URL('reference/', BUILT_DOCUMENTS);
  await rm(reference, { recursive: true, force: true });
  await mkdir(reference);
  for (const [name, text] of files) await writeFile(new URL(name, BUILT_DOCUMENTS), text);
};
