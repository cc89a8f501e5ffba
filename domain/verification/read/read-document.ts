import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson, StrictJsonError } from '../../kernel/strict-json.ts';
import { EXPORT_FORMAT } from './audit-export-shapes.ts';
import { isNdjsonExport, readNdjson } from './read-ndjson.ts';
import type { Findings } from '../report/report.ts';
import type { Situation } from '../report/situation.ts';

/** A JSON object of ours: an audit export, a bundle, or one signed statement that an API answer carried. */
export interface ReadDocument {
  readonly kind: 'audit-export' | 'signed-statement' | 'sigstore-bundle';
  readonly value: JsonObject;
}

/**
 * Reads a file strictly. What is no evidence of ours at all says nothing about anybody, so it is not invalid but
 * cannot be told, with a sentence that says what the file is. What is ours in all but the strictness of its JSON (a
 * member that stands twice, text that is not UTF-8) is a failure, because two readers could read it differently.
 */
export const readDocument = (
  input: Uint8Array | string,
  findings: Findings,
): ReadDocument | null => {
  const refused = refusal(input);
  if (refused !== null) {
    findings.cannotTell('document', `cannot tell: ${refused.why}`, refused.situation);
    return null;
  }
  if (isNdjsonExport(typeof input === 'string' ? input : startOf(input)))
    return readLines(input, findings);
  try {
    const value = parseStrictJson(typeof input === 'string' ? input : decodeUtf8Strict(input), {
      maxDepth: MAX_DEPTH,
    });
    const kind = kindOf(value);
    if (kind === 'audit-export' && isOtherFormat(value, findings)) return null;
    if (kind && isObject(value)) return { kind, value };
    findings.cannotTell('document', `cannot tell: ${otherJson(value)}`);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const text = typeof input === 'string' ? input : new TextDecoder().decode(input);
    const loose = parseLoosely(text);
    const isOther = loose === undefined ? !text.includes('"coseSign1"') : kindOf(loose) === null;
    const why = `${error.message} (${error.pointer === '' ? 'at the top' : error.pointer}, line ${error.line}, column ${error.column})`;
    if (loose === undefined && (isOther || isCutOff(text, error)))
      findings.cannotTell(
        'document',
        `cannot tell: the file is no JSON, or only a part of one; fetch it again: ${why}`,
        'unreadable',
      );
    else if (loose !== undefined && isOther)
      findings.cannotTell('document', `cannot tell: ${otherJson(loose)}`);
    else
      findings.fail(
        'document',
        'document',
        'CHAIN_COSE_DECODE_FAILED',
        { chainKey: null, position: null },
        `the file cannot be read as strict JSON: ${why}`,
      );
  }
  return null;
};

/**
 * Whether another version of the program wrote the export in another form, which is reported. Such a form cannot be judged
 * by the rules of this one, so the file is not called invalid, and never valid.
 */
const isOtherFormat = (value: JsonValue | undefined, findings: Findings): boolean => {
  const { formatVersion, service } = isObject(value) ? value : {};
  if (typeof formatVersion !== 'string' || formatVersion === EXPORT_FORMAT) return false;
  const version = isObject(service) ? service['version'] : undefined;
  findings.cannotTell(
    'document',
    `cannot tell: the export has the format ${formatVersion.slice(0, 20)}, and this verifier reads the format ${EXPORT_FORMAT}. Verify it with the release that wrote it${typeof version === 'string' ? `, ${version.slice(0, 40)}` : ''}, or fetch it again`,
    'other_format',
  );
  return true;
};

const startOf = (input: Uint8Array): string =>
  new TextDecoder('latin1').decode(input.subarray(0, 32));

/** An export whose parts stand a line each, put together. */
const readLines = (input: Uint8Array | string, findings: Findings): ReadDocument | null => {
  try {
    const text = typeof input === 'string' ? input : decodeUtf8Strict(input);
    if (isOtherFormat(parseLoosely(text.split('\n', 1)[0]!), findings)) return null;
    const value = readNdjson(text, MAX_DEPTH, findings);
    return value && { kind: 'audit-export', value };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      `the file cannot be read: ${error.message}`,
    );
    return null;
  }
};

const MAX_DEPTH = 128;

/** In bytes or UTF-16 units: far beyond any record's chain, and short of what a runtime holds in one string. */
export const MAX_LENGTH = 256 * 1024 * 1024;

/** Each value of a parsed document takes memory of its own, however short its text is. */
const MAX_VALUES = 8 * 1024 * 1024;

interface Refusal {
  readonly situation: Situation;
  readonly why: string;
}

const unreadable = (why: string): Refusal => ({ situation: 'unreadable', why });
const tooLarge = (why: string): Refusal => ({ situation: 'too_large', why });

/** The first line of a CSV export of one record, or of several. */
const CSV_HEADER = /^(?:recordId,)?position,entryType/;

/** Why the file is not even parsed; null if it is. */
const refusal = (input: Uint8Array | string): Refusal | null => {
  if (input.length === 0) return unreadable('the file is empty');
  if (input.length > MAX_LENGTH)
    return tooLarge(`the file has more than ${MAX_LENGTH} bytes, more than this verifier reads`);
  const [first, second, third] =
    typeof input === 'string'
      ? [input.charCodeAt(0)]
      : (input.subarray(0, 3) as Iterable<number | undefined>);
  if (first === 0xfeff || (first === 0xef && second === 0xbb && third === 0xbf))
    return unreadable(
      'the file begins with a byte-order mark, which the service does not write; save it without one',
    );
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return unreadable(
      'the file is UTF-16, which the service does not write; save it as UTF-8, without a byte-order mark',
    );
  if (CSV_HEADER.test(typeof input === 'string' ? input.slice(0, 32) : startOf(input)))
    return unreadable(
      'the file is a CSV export, which is made for spreadsheets; this verifier reads the export as JSON or NDJSON',
    );
  if (holdsMoreThan(MAX_VALUES, input))
    return tooLarge(`the file holds more than ${MAX_VALUES} values, more than this verifier reads`);
  return null;
};

const [QUOTE, COMMA, BRACE, BRACKET, BACKSLASH] = [0x22, 0x2c, 0x7b, 0x5b, 0x5c];

/** Each value but the first follows a comma or an opening; those that stand in a string do not count. */
const holdsMoreThan = (limit: number, input: Uint8Array | string): boolean => {
  // Two bytes at least for each value.
  if (input.length <= 2 * limit) return false;
  const at =
    typeof input === 'string'
      ? (index: number): number => input.charCodeAt(index)
      : (index: number): number => input[index]!;
  let count = 1;
  let isText = false;
  for (let i = 0; i < input.length; i++) {
    const char = at(i);
    if (isText) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) isText = false;
    } else if (char === QUOTE) isText = true;
    else if ((char === COMMA || char === BRACE || char === BRACKET) && ++count > limit) return true;
  }
  return false;
};

/** Two of them make a file one of ours: with one taken away it is still ours, and broken. */
const MARKS = [
  [
    'audit-export',
    ['formatVersion', 'record', 'chain', 'checkpoint', 'checkpoints', 'verificationGuide'],
  ],
  ['sigstore-bundle', ['mediaType', 'verificationMaterial', 'dsseEnvelope']],
  ['signed-statement', ['chainKey', 'previousHash', 'signingKeyId', 'coseSign1']],
] as const;

const kindOf = (value: JsonValue): ReadDocument['kind'] | null => {
  if (!isObject(value)) return null;
  const found = MARKS.find(
    ([, members]) => members.filter((member) => Object.hasOwn(value, member)).length > 1,
  );
  return found?.[0] ?? null;
};

const otherJson = (value: JsonValue): string =>
  isObject(value) && Object.hasOwn(value, 'signedStatement')
    ? 'the file is an answer of the service; its member signedStatement is what can be verified, saved in a file of its own'
    : 'the file is JSON, but neither an audit export nor a signed statement';

/** As any other parser would read it; undefined where that finds no JSON either. */
const parseLoosely = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** Whether the text ends before its value does. */
const isCutOff = (text: string, { offset }: StrictJsonError): boolean =>
  offset >= text.length || !text.trimEnd().endsWith('}');
