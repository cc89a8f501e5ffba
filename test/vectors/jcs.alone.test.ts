import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  canonicalJsonBytes,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../domain/kernel/strict-json.ts';

const FOLDER = new URL('./jcs/', import.meta.url);
const files = readdirSync(new URL('input/', FOLDER));
const read = (side: 'input' | 'output', file: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`${side}/${file}`, FOLDER)));

describe('RFC 8785', () => {
  it('the published vectors are all there', () => {
    expect(files).toEqual([
      'arrays.json',
      'french.json',
      'structures.json',
      'unicode.json',
      'values.json',
      'weird.json',
    ]);
  });

  it.each(files)('%s has the published canonical form, byte for byte', (file) => {
    expect(
      canonicalJsonBytes(JSON.parse(decodeUtf8Strict(read('input', file))) as JsonValue),
    ).toEqual(read('output', file));
  });

  it.each(files)('%s: the canonical form is strict JSON, and its own canonical form', (file) => {
    const text = decodeUtf8Strict(read('output', file));
    expect(canonicalJson(parseStrictJson(text))).toBe(text);
  });

  it.each(files)(
    '%s: strict reading changes nothing, or refuses a number that a double cannot hold',
    (file) => {
      const text = decodeUtf8Strict(read('input', file));
      if (file !== 'values.json') expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      else
        expect(() => parseStrictJson(text)).toThrow(
          expect.objectContaining({ name: 'StrictJsonError', pointer: '/numbers/0' }),
        );
    },
  );
});
