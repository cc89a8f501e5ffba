import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { meaningsOf } from '../databases/stored-values.ts';

/** The bytes that a text leaves behind in the encodings that a service could write it in. */
export const tracesOf = (
  text: string,
): readonly { readonly encoding: string; readonly bytes: Buffer }[] => {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  return [
    { encoding: 'utf-8', bytes: utf8 },
    { encoding: 'utf-16le', bytes: utf16 },
    { encoding: 'utf-16be', bytes: Buffer.from(utf16).swap16() },
    ...tracesOfBytes(utf8),
  ];
};

/** The bytes themselves written as text. */
export const tracesOfBytes = (
  bytes: Buffer,
): readonly { readonly encoding: string; readonly bytes: Buffer }[] => [
  { encoding: 'hex', bytes: Buffer.from(bytes.toString('hex')) },
  { encoding: 'HEX', bytes: Buffer.from(bytes.toString('hex').toUpperCase()) },
  // Base64 depends on what stands before: three ways, each without the characters that hold bits of a neighbour.
  ...[0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = encoded.slice(Math.ceil((before * 4) / 3), -1);
    return [
      { encoding: `base64 after ${before}`, bytes: Buffer.from(whole) },
      {
        encoding: `base64url after ${before}`,
        bytes: Buffer.from(whole.replaceAll('+', '-').replaceAll('/', '_')),
      },
    ];
  }),
];

/** Where, and in which encodings, any of the texts stands in the bytes. */
export const findTraces = (
  texts: readonly string[],
  places: ReadonlyMap<string, Buffer>,
): readonly string[] =>
  texts.flatMap((text) =>
    tracesOf(text).flatMap(({ encoding, bytes }) =>
      [...places].flatMap(([place, content]) =>
        content.includes(bytes) ? [`${text} in ${encoding} in ${place}`] : [],
      ),
    ),
  );

/** Every file below a folder, as bytes, and every value of a SQLite database, which may lie apart in the pages of its file. */
export const storedBytes = (directory: string, database: string): ReadonlyMap<string, Buffer> => {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    const tables = (
      db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
    ).map(({ name }) => name);
    return new Map([
      ...files.map((file) => [file, readFileSync(file)] as const),
      ...tables.map(
        (name) =>
          [
            `table ${name}`,
            Buffer.concat(
              (db.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]).flatMap(
                (row) => Object.values(row).flatMap((value) => [...meaningsOf(value), NEXT]),
              ),
            ),
          ] as const,
      ),
    ]);
  } finally {
    db.close();
  }
};

const NEXT = Buffer.from('\n');
