import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_LENGTH } from '../../domain/verification/read/read-document.ts';
import { fetchInput, isUrl } from './fetch-input.ts';
import { InputError, reasonOf } from './input-error.ts';

const ENDINGS = ['.json', '.ndjson', '.cose'];

/** The files that are meant: each one itself, `-` for standard input, a URL, and of a folder its files of our endings by name. */
export const filesOf = async (names: readonly string[]): Promise<string[]> => {
  const files = await Promise.all(
    names.map(async (name) => {
      if (name === '-' || !(await isFolder(name))) return [name];
      const entries = (await readdir(name, { withFileTypes: true }))
        .filter((entry) => entry.isFile() || entry.isSymbolicLink())
        .map((entry) => join(name, entry.name))
        .filter((path) => ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)))
        .sort();
      const isNone = await Promise.all(entries.map(isNoFile));
      const inside = entries.filter((_, at) => !isNone[at]);
      if (inside.length === 0)
        throw new InputError(
          `the folder ${name} holds no file ${ENDINGS.map((ending) => `*${ending}`).join(', ')}`,
        );
      return inside;
    }),
  );
  return files.flat();
};

const isFolder = async (name: string): Promise<boolean> => {
  try {
    return (await stat(name)).isDirectory();
  } catch {
    // What is wrong with it is said where it is read.
    return false;
  }
};

/** A pipe or a device, also behind a link: to read it might never end. Whoever means it names it. */
const isNoFile = async (path: string): Promise<boolean> => {
  try {
    return !(await stat(path)).isFile();
  } catch {
    return false;
  }
};

const EXPORTS = 'application/json, application/x-ndjson;q=0.9, */*;q=0.1';

/**
 * The bytes of a file, of standard input (`-`), or at a URL.
 *
 * @param apiKey which a URL is fetched with.
 * @throws InputError where a URL is refused; what a file refuses is thrown when it is read.
 */
export const openInput = async (
  name: string,
  apiKey: string | null,
): Promise<AsyncIterable<unknown>> => {
  if (isUrl(name)) return fetchInput(name, EXPORTS, apiKey);
  return name === '-' ? process.stdin : createReadStream(name);
};

export const readInput = async (
  file: string,
  apiKey: string | null = null,
): Promise<Uint8Array> => {
  try {
    return await collect(await openInput(file, apiKey));
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(`the file ${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
};

/** All of a stream, and never more than a verification looks at: a device has no end. */
export const collect = async (
  stream: AsyncIterable<unknown>,
  maxLength = MAX_LENGTH,
): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
    length += bytes.length;
    if (length > maxLength) throw new Error(`it has more than ${maxLength} bytes`);
    parts.push(bytes);
  }
  return Buffer.concat(parts, length);
};
