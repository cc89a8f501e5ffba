import { parseStrictJson, StrictJsonError } from '../../domain/kernel/strict-json.ts';
import { DocumentError } from './document-error.ts';
import { parseYaml } from './parse-yaml.ts';

const MAX_DEPTH = 64;

/** One JSON value. YAML may write it as well, but nothing beyond: no aliases, no tags, no second document. @throws DocumentError */
export const parseDocument = (bytes: Uint8Array, form: 'json' | 'yaml'): unknown => {
  const text = textOf(bytes);
  try {
    return parseStrictJson(form === 'json' ? text : jsonOf(text), { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const place = form === 'json' ? ` (line ${error.line}, column ${error.column})` : '';
    throw new DocumentError(
      `is not valid ${form.toUpperCase()}: ${error.message.replace(/\.$/, '')}${place}.`,
      error.pointer,
    );
  }
};

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError('is not UTF-8.');
  }
};

/** The same value as JSON text. The parser of JSON then has the last word on what a value may be. */
const jsonOf = (text: string): string => {
  try {
    return JSON.stringify(parseYaml(text), (_, value: unknown) => exact(value));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    if (error instanceof RangeError)
      throw new DocumentError('is nested too deeply, or holds a number that is too long.');
    throw new DocumentError('is not valid YAML.');
  }
};

/** Whole numbers as JSON has them; what no double holds is refused rather than rounded. */
const exact = (value: unknown): unknown => {
  if (typeof value === 'bigint') {
    if (BigInt(Number(value)) !== value || !Number.isSafeInteger(Number(value)))
      throw new DocumentError('holds a number that is too large to be exact. Write it as a text.');
    return Number(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DocumentError('holds a number that JSON does not have.');
  return value;
};
