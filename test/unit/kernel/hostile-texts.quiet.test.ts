import { describe, expect, it } from 'vitest';
import { CborError, decodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { parseStrictJson, StrictJsonError } from '../../../domain/kernel/strict-json.ts';
import { busyMs, slowness } from '../../support/service/event-loop-gap.ts';

describe('the cost of a hostile text', () => {
  it('answers a million brackets quickly', () => {
    const started = busyMs();
    for (const text of [
      '['.repeat(1_000_000),
      '{"a":'.repeat(200_000),
      '['.repeat(500_000) + ']'.repeat(500_000),
    ])
      expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
    expect((busyMs() - started) / slowness()).toBeLessThan(2_000);
  });

  it('a map of many keys in a hostile order is refused in the time of a sort', () => {
    const bytes: number[] = [0xb9, 0xff, 0xff];
    for (let index = 0xffff; index > 0; index--) bytes.push(0x19, index >> 8, index & 0xff, 0);
    const started = busyMs();
    expect(() => decodeCbor(Uint8Array.from(bytes))).toThrow(CborError);
    expect((busyMs() - started) / slowness()).toBeLessThan(2_000);
  });
});
