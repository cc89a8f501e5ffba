import { describe, expect, it } from 'vitest';
import { canonicalPath } from '../../../adapters/http/canonical-path.ts';

const ID = '019c1f00-0000-7000-8000-00000000abcd';

describe('the one spelling of a path', () => {
  it.each([
    [`/v1/records/${ID}/cancel`, `/v1/records/${ID}/cancel`],
    [`/v1/records/${ID.toUpperCase()}`, `/v1/records/${ID}`],
    [`/v1/%72ecords/${ID.replace('a', '%41')}/accept`, `/v1/records/${ID}/accept`],
    ['/v1/schemas/acme%2fnote%3a1', '/v1/schemas/acme%2Fnote%3A1'],
    ['/v1/schemas/a:b@c', '/v1/schemas/a:b@c'],
    ['/v1/schemas/NOTE', '/v1/schemas/NOTE'],
    ['/v1/schemas/caf%c3%a9', '/v1/schemas/caf%C3%A9'],
  ])('of %s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
    expect(canonicalPath(canonical)).toBe(canonical);
  });

  it('leaves what only looks like an id as it is', () => {
    const longer = `${ID.toUpperCase()}F`;
    expect(canonicalPath(`/v1/records/${longer}`)).toBe(`/v1/records/${longer}`);
  });
});
