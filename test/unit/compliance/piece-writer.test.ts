import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PieceWriter } from '../../../application/compliance/piece-writer.ts';

describe('pieces', () => {
  it('are of the size, but the last one, and make the whole with its hash, wherever characters fall', async () => {
    const stored: Uint8Array[] = [];
    const writer = new PieceWriter((ordinal, content) => {
      expect(ordinal).toBe(stored.length);
      stored.push(content);
      return Promise.resolve();
    }, 7);
    const parts = ['', 'a', 'äöü', '😀😀😀', 'x'.repeat(40), ''];
    for (const part of parts) await writer.add(part);
    const sha256 = await writer.end();
    const whole = Buffer.concat(stored);
    expect(whole.toString()).toBe(parts.join(''));
    expect(sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    expect(stored.slice(0, -1).every(({ length }) => length === 7)).toBe(true);
    expect(writer.pieces).toEqual(
      stored.map((piece) => createHash('sha256').update(piece).digest('hex')),
    );
  });

  it('take back what was added since the mark, however much of it was stored', async () => {
    for (let before = 0; before <= 20; before++)
      for (let dropped = 0; dropped <= 30; dropped += 3) {
        const stored = new Map<number, Uint8Array>();
        const writer = new PieceWriter((ordinal, content) => {
          stored.set(ordinal, content);
          return Promise.resolve();
        }, 7);
        await writer.add('a'.repeat(before));
        writer.mark();
        await writer.add('x'.repeat(dropped));
        writer.takeBack();
        await writer.add('y'.repeat(dropped));
        writer.takeBack();
        await writer.add('bcd');
        writer.mark();
        await writer.add('z'.repeat(dropped));
        writer.takeBack();
        const text = `${'a'.repeat(before)}bcd`;
        expect(await writer.end()).toBe(createHash('sha256').update(text).digest('hex'));
        const kept = writer.pieces.map((_, ordinal) => stored.get(ordinal)!);
        expect(Buffer.concat(kept).toString()).toBe(text);
        expect(writer.pieces).toEqual(
          kept.map((piece) => createHash('sha256').update(piece).digest('hex')),
        );
      }
  });

  it('of nothing are none', async () => {
    const writer = new PieceWriter(() => Promise.reject(new Error('stored')));
    expect(await writer.end()).toBe(createHash('sha256').digest('hex'));
    expect(writer.pieces).toEqual([]);
  });
});
