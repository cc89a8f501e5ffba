import { decodeBase64Bytes } from '../../../kernel/base64.ts';
import type { Member } from '../../report/shape.ts';
import type { DumpLine } from './dump-lines.ts';
import type { DumpFile } from './dump-rows.ts';
import { ofEachShape } from './dump-shapes.ts';

interface PlainMember {
  readonly name: string;
  /** What stands before its value. */
  readonly before: string;
  readonly form: Member;
}

interface PlainRow {
  readonly line: number;
  readonly members: Readonly<Record<string, string | number | null>>;
  readonly bytes: Uint8Array;
}

/**
 * Reads a row as a dump writes nearly all of them: each member that has to be there and no other, in their order, compact, and
 * in ASCII without an escape. It is the short way of `readRow`, which reads everything else, and whatever is
 * wrong.
 *
 * @returns null where the line is not of that form.
 */
export const readPlainRow = (line: DumpLine, file: DumpFile): PlainRow | null => {
  if (!line.bytes || line.isCut) return null;
  const text = textOf(line.bytes);
  // Of ASCII alone, so that places in the text and in the bytes are the same.
  if (text?.length !== line.bytes.length) return null;
  const members: Record<string, string | number | null> = {};
  let bytes: Uint8Array | null = null;
  let at = 0;
  for (const { name, before, form } of MEMBERS.get(file)!) {
    if (!text.startsWith(before, at)) return null;
    at += before.length;
    let value: string | number | null;
    if (text.charCodeAt(at) === QUOTE) {
      const end = text.indexOf('"', at + 1);
      if (end < 0) return null;
      const start = at + 1;
      at = end + 1;
      // Base64 has no character that could be an escape.
      if (name === 'cose_sign1' || name === 'public_key') {
        bytes = decodeBase64Bytes(line.bytes, start, end);
        if (!bytes) return null;
        continue;
      }
      value = text.slice(start, end);
      if (ESCAPES.test(value)) return null;
    } else if (text.startsWith('null', at)) {
      value = null;
      at += 'null'.length;
    } else {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)?.[0];
      if (digits === undefined) return null;
      value = Number(digits);
      at += digits.length;
    }
    if (!form.test(value)) return null;
    members[name] = value;
  }
  if (!bytes || at !== text.length - 1 || text.charCodeAt(at) !== BRACE) return null;
  return { line: line.number, members, bytes };
};

const QUOTE = 0x22;
const BRACE = 0x7d;
const ESCAPES = /[\\\u0000-\u001f]/;
/** A whole number that a double holds, and that is written in one way. */
const NUMBER = /(?:0|-?[1-9]\d{0,14})(?=[,}])/y;

const MEMBERS = ofEachShape((shape): readonly PlainMember[] =>
  Object.entries(shape)
    .filter(([, { optional }]) => !optional)
    .map(([name, form], index) => ({
      name,
      before: `${index === 0 ? '{' : ','}"${name}":`,
      form,
    })),
);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};
