import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../../domain/kernel/strict-json.ts';
import { InputError, reasonOf } from '../input-error.ts';
import { collect } from '../read-input.ts';

const MAX_BYTES = 16 * 1024 * 1024;

const streamOf = (file: string): AsyncIterable<unknown> =>
  file === '-' ? process.stdin : createReadStream(file);

/**
 * A JSON object of a file, or of standard input (`-`). Read strictly, since it is sealed: a member that stands there twice,
 * or a number that is not kept exactly, is refused.
 *
 * @param hint what else the caller may have meant
 * @throws InputError
 */
export const readObject = async (file: string, hint = ''): Promise<JsonObject> => {
  const name = file === '-' ? 'Standard input' : file;
  const bytes = await collect(streamOf(file), MAX_BYTES).catch((cause: unknown) => {
    throw new InputError(`${name} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  const value = ((): unknown => {
    try {
      return parseStrictJson(decodeUtf8Strict(bytes));
    } catch (cause) {
      throw new InputError(`${name} holds no JSON: ${reasonOf(cause).replace(/\.$/, '')}.${hint}`, {
        cause,
      });
    }
  })();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(`${name} holds JSON, but no object.${hint}`);
  return value as JsonObject;
};

/** What identifies a file of any size: its name, its length and its SHA-256. @throws InputError */
export const digestOf = async (
  file: string,
  name = file === '-' ? 'standard input' : basename(file),
): Promise<{ readonly name: string; readonly bytes: number; readonly sha256: string }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of streamOf(file)) {
      const piece = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
      hash.update(piece);
      bytes += piece.length;
    }
  } catch (cause) {
    throw new InputError(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  return { name, bytes, sha256: hash.digest('hex') };
};
