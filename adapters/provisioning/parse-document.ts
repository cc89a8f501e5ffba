import { isAlias, LineCounter, parseAllDocuments, visit } from 'yaml';
import { parseStrictJson, StrictJsonError } from '../../domain/kernel/strict-json.ts';
import { DocumentError } from './document-error.ts';

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
      `is not valid ${form.toUpperCase()}: ${error.message}${place}.`,
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
    return JSON.stringify(yamlValue(text), (_, value: unknown) => exact(value));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    if (error instanceof RangeError) throw new DocumentError('is nested too deeply.');
    throw new DocumentError('is not valid YAML.');
  }
};

const yamlValue = (text: string): unknown => {
  const lines = new LineCounter();
  // The sentences of the parser quote lines of the file, which may hold what no log should.
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    intAsBigInt: true,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  });
  if (!Array.isArray(documents) || documents.length === 0)
    throw new DocumentError('is empty. Write one document, or remove the file.');
  const [document, second] = documents;
  if (second) throw new DocumentError('holds several documents. Give each a file of its own.');
  if (document!.contents === null && document!.errors.length === 0)
    throw new DocumentError('is empty. Write one document, or remove the file.');
  const fault = document!.errors[0] ?? document!.warnings[0];
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    const what =
      fault.code === 'DUPLICATE_KEY'
        ? 'a member is there twice'
        : fault.code.toLowerCase().replaceAll('_', ' ');
    throw new DocumentError(`is not valid YAML: ${what} (line ${line}).`);
  }
  visit(document!, {
    Node: (_, node) => {
      if (isAlias(node))
        throw new DocumentError('uses an alias (*). Write the value itself wherever it is meant.');
    },
  });
  return document!.toJS();
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
