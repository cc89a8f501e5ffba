import { describe, expect, it } from 'vitest';
import { assertOrigin } from '../../../adapters/mcp/origin.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const isTaken = (
  origin: string | undefined,
  base: string,
  cors: readonly string[] = [],
): boolean => {
  try {
    assertOrigin(origin, base, cors);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(NotaryError);
    return false;
  }
};

describe('the origin of a page', () => {
  it.each([
    [undefined, 'https://notary.example', true],
    ['https://notary.example', 'https://notary.example', true],
    ['http://notary.example', 'https://notary.example', false],
    ['https://notary.example.evil', 'https://notary.example', false],
    ['https://notary.example:8443', 'https://notary.example', false],
    ['null', 'https://notary.example', false],
    ['', 'https://notary.example', false],
    // A public service is not this machine.
    ['http://localhost', 'https://notary.example', false],
    ['http://localhost:3000', 'http://127.0.0.1:3000', true],
    ['http://[::1]:3000', 'http://localhost:3000', true],
    ['http://localhost:3001', 'http://127.0.0.1:3000', false],
    ['https://localhost:3000', 'http://127.0.0.1:3000', false],
    ['http://evil.example:3000', 'http://127.0.0.1:3000', false],
    ['http://127.0.0.1.evil.example:3000', 'http://127.0.0.1:3000', false],
  ])('%s at %s', (origin, base, taken) => {
    expect(isTaken(origin, base)).toBe(taken);
  });

  it('may be another where the operator names it', () => {
    const base = 'https://notary.example';
    expect(isTaken('https://app.example', base, ['https://app.example'])).toBe(true);
    expect(isTaken('https://other.example', base, ['https://app.example'])).toBe(false);
    expect(isTaken('https://other.example', base, ['*'])).toBe(true);
  });
});
