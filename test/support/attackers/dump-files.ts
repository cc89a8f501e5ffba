import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { DUMP_FILES, type DumpFile } from '../../../domain/verification/dump/rows/dump-rows.ts';
import type { DumpSource } from '../../../domain/verification/dump/rows/dump-source.port.ts';

/** The files of a dump in memory, to be edited: each as its text. */
export type DumpTexts = Readonly<Record<DumpFile, string>>;

/** Gives a dump as the product would read it from a folder. A file that is undefined is not there. */
export const sourceOf = (texts: Partial<Record<DumpFile, string | Uint8Array>>): DumpSource => ({
  open: (file) => {
    const text = texts[file];
    if (text === undefined) return null;
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return partsOf(bytes);
  },
});

/** In parts that end anywhere in a line. */
async function* partsOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART)
    yield await Promise.resolve(bytes.subarray(at, at + PART));
}
const PART = 4_093;

/** Collects what a dump writes. */
export const dumpCollector = () => {
  const texts: Partial<Record<DumpFile, string>> = {};
  return {
    write: async (file: DumpFile, rows: AsyncIterable<JsonObject>): Promise<void> => {
      let text = '';
      for await (const row of rows) text += `${JSON.stringify(row)}\n`;
      texts[file] = text;
    },
    texts: (): DumpTexts => {
      for (const file of DUMP_FILES)
        if (texts[file] === undefined) throw new Error(`${file} was not written`);
      return texts as DumpTexts;
    },
  };
};

export const rowsOf = (text: string): JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);

export const textOf = (rows: readonly JsonObject[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');
