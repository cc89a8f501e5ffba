import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, LineTooLong } from '../../../adapters/cli/mcp/lines.ts';

const read = async (parts: readonly Uint8Array[], max = 1_000): Promise<Uint8Array[]> => {
  const stream = (async function* () {
    await Promise.resolve();
    yield* parts;
  })();
  const lines: Uint8Array[] = [];
  for await (const line of linesOf(stream, max)) lines.push(line);
  return lines;
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the lines of a stream', () => {
  it('are what came, byte for byte, wherever it was cut', async () => {
    const part = fc.uint8Array({ maxLength: 40 }).map((some) => some.map((one) => one % 14));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
        const lines = await read(parts);
        expect(Buffer.concat(lines)).toEqual(Buffer.concat(parts));
        for (const [at, line] of lines.entries()) {
          const ends = line.indexOf(0x0a);
          expect(ends).toBe(at === lines.length - 1 && ends === -1 ? -1 : line.length - 1);
        }
      }),
    );
  });

  it('hold no more than may be held', async () => {
    await expect(read([bytes('abc'), bytes('def')], 5)).rejects.toThrow(LineTooLong);
    expect(await read([bytes('abc\n'), bytes('def\n')], 5)).toHaveLength(2);
  });
});
