import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redactionOf } from '../../../adapters/client/capture/redaction.ts';
import { represent } from '../../../adapters/client/capture/represent.ts';
import type { Body } from '../../support/service/world.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a redaction by paths', () => {
  it('takes paths that can be there, and meets what they name', () => {
    for (const path of ['password', '', 'input..x', 'out.x'])
      expect(() => redactionOf([path])).toThrow(TypeError);
    const matches = (pattern: string, path: string): boolean =>
      redactionOf([pattern])('v', path, path.split('.')) !== 'v';
    expect(matches('input.0', 'input.0.x')).toBe(false);
    expect(matches('input.a', 'input.xa')).toBe(false);
    expect(matches('input.**', 'input.a.b')).toBe(true);
    expect(matches('input.**.b', 'input.a.c.b')).toBe(true);
    expect(matches('input.**.b', 'input.b')).toBe(true);
    expect(matches('input.a+b', 'input.aab')).toBe(false);
  });

  it('meets what a name with full stops holds', async () => {
    const redact = redactionOf(['input.*.token', 'input.x.y', '**.key']);
    const value = {
      'me@example.com': { token: 'secret' },
      'x.y': 'secret',
      'a.b': { key: 'secret' },
    };
    const { json, redacted } = await represent(value, 'input', redact);
    expect(JSON.stringify(json)).not.toContain('secret');
    expect(redacted).toBe(3);
  });
});

describe('a value as JSON', () => {
  const told = async (value: unknown) => (await represent(value, 'input', (one) => one)).json;

  it('is what JSON makes of it, and bytes by their digest', async () => {
    expect(await told({ at: new Date(0), n: 10n, u: undefined, list: [undefined, null] })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      n: '10',
      list: [null, null],
    });
    const abc = { bytes: 3, sha256: hashOf('abc') };
    const bytes = new TextEncoder().encode('xabcx');
    expect(await told([bytes.subarray(1, 4), new Uint8Array([97, 98, 99]).buffer])).toEqual([
      abc,
      abc,
    ]);
    class Point {
      x = 1;
    }
    expect(await told(new Point())).toEqual({ x: 1 });
    expect(await told([, 1])).toEqual([null, 1]);
    expect(JSON.stringify(await told(JSON.parse('{"__proto__":{"x":1}}')))).toBe(
      '{"__proto__":{"x":1}}',
    );
  });

  it('is none where JSON would say less than is there', async () => {
    const cycle: Body = {};
    cycle['self'] = cycle;
    for (const value of [
      NaN,
      Infinity,
      'a\ud800',
      { '\udc00': 1 },
      Symbol('x'),
      new Map(),
      new Set([1]),
      Promise.resolve(),
      cycle,
    ])
      await expect(told([value])).rejects.toBeInstanceOf(TypeError);
  });

  it('is none where it has more values than anybody could write', async () => {
    let shared: unknown = [1, 1];
    for (let n = 0; n < 50; n++) shared = [shared, shared];
    const endless: Body = {};
    endless['toJSON'] = () => endless;
    const everything: object = new Proxy([], { get: () => everything });
    for (const value of [shared, endless, new Array(4_000_000_000), { a: endless }])
      await expect(told(value)).rejects.toBeInstanceOf(TypeError);
    await expect(told(everything)).rejects.toBeInstanceOf(Error);
  });
});
