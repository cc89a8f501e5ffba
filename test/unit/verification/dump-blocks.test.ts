import { describe, expect, it } from 'vitest';
import {
  BlockBuffers,
  blocksOf,
  chainBlocksOf,
  type ChainBlock,
} from '../../../domain/verification/dump/rows/dump-blocks.ts';
import { linesIn } from '../../../domain/verification/dump/rows/dump-lines.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();

async function* partsOf(whole: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = utf8.encode(whole);
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    // One buffer for all parts, as a file is read.
    const part = bytes.subarray(at, at + size);
    buffer.set(part);
    yield await Promise.resolve(buffer.subarray(0, part.length));
  }
}

interface Seen extends ChainBlock {
  readonly text: string;
}

const blocks = async (whole: string, size = 100_000): Promise<Seen[]> => {
  const seen: Seen[] = [];
  const buffers = new BlockBuffers();
  for await (const block of chainBlocksOf(partsOf(whole, size), buffers)) {
    seen.push({ ...block, text: text.decode(new Uint8Array(block.buffer, 0, block.length)) });
    buffers.give(block.buffer);
  }
  return seen;
};

const line = (key: string, length = 2_000): string =>
  `{"chain_key":"${key}","x":"${'y'.repeat(length)}"}\n`;
const key = (index: number): string => index.toString(16).padStart(6, '0');
const chains = (count: number, entries: number, from = 0): string =>
  Array.from({ length: count }, (_, chain) => line(key(from + chain)).repeat(entries)).join('');

const keysIn = ({ text: lines }: Seen): ReadonlySet<string> =>
  new Set([...lines.matchAll(/"chain_key":"([^"]*)"/g)].map(([, found]) => found!));

describe('blocks of chains', () => {
  it.each([997, 4_096, 262_144])(
    'are the file, cut between chains (parts of %i bytes)',
    async (size) => {
      const whole = chains(300, 3);
      const seen = await blocks(whole, size);
      expect(seen.length).toBeGreaterThan(3);
      expect(seen.map((one) => one.text).join('')).toBe(whole);
      expect(seen.map(({ isLast }) => isLast)).toEqual(seen.map((_, at) => at === seen.length - 1));
      let lines = 1;
      for (const [at, one] of seen.entries()) {
        expect(one.firstLine).toBe(lines);
        lines += one.text.split('\n').length - 1;
        expect(one).toMatchObject({ continues: false, goesOn: false });
        expect([...keysIn(one)].at(-1)).toBe(one.highest);
        const next = seen[at + 1];
        if (next) expect(keysIn(next).has(one.highest)).toBe(false);
      }
    },
  );

  it('continue each other where a chain is long, and end with it', async () => {
    const whole = `${chains(10, 3)}${line(key(10)).repeat(1_200)}${chains(300, 3, 11)}`;
    const seen = await blocks(whole);
    expect(seen.map((one) => one.text).join('')).toBe(whole);
    const long = seen.filter(({ goesOn }) => goesOn);
    expect(long.length).toBeGreaterThan(0);
    for (const one of long) expect(one.highest).toBe(key(10));
    for (const [at, one] of seen.entries())
      expect(one.continues).toBe(seen[at - 1]?.goesOn ?? false);
    expect(seen.at(-1)).toMatchObject({ continues: false, goesOn: false, isLast: true });
  });

  it('are parted no more where the file is out of order', async () => {
    const whole = `${chains(100, 3)}${line('zzz')}${chains(600, 3, 100)}`;
    const seen = await blocks(whole);
    expect(seen.map((one) => one.text).join('')).toBe(whole);
    const from = seen.findIndex(({ highest }) => highest === 'zzz');
    for (const one of seen.slice(from, -1)) expect(one.goesOn).toBe(true);
  });

  it('hold a line that is too long as one that is', async () => {
    const whole = `${line('a')}${'q'.repeat(3_000_000)}\n${line('b')}`;
    const lines = (await blocks(whole)).flatMap((one) => [
      ...linesIn(utf8.encode(one.text), one.firstLine),
    ]);
    expect(lines.map(({ number, bytes }) => [number, bytes?.length ?? null])).toEqual([
      [1, line('a').length - 1],
      [2, null],
      [3, line('b').length - 1],
    ]);
  });

  it('end with a line that was cut, and of nothing there is one block', async () => {
    const [only] = await blocks(`${line('a')}{"chain_key"`);
    expect([...linesIn(utf8.encode(only!.text), 1)].map(({ isCut }) => isCut)).toEqual([
      false,
      true,
    ]);
    expect(await blocks('')).toMatchObject([{ length: 0, isLast: true, highest: '' }]);
  });
});

describe('blocks of other files', () => {
  it('are the file, cut between lines', async () => {
    const whole = chains(200, 2);
    let joined = '';
    let lines = 1;
    for await (const block of blocksOf(partsOf(whole, 5_000), new BlockBuffers())) {
      const part = text.decode(new Uint8Array(block.buffer, 0, block.length));
      expect(block.firstLine).toBe(lines);
      lines += part.split('\n').length - 1;
      joined += part;
    }
    expect(joined).toBe(whole);
  });
});
