import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  isPeerNonce,
  isPeerSignature,
  isPeerTimestamp,
  PEER_PATHS,
  signInput,
  successionInput,
} from '../../../domain/federation/request-signature.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('the sign-input of a request between hubs', () => {
  it('is that of interface 5.4, over the bytes of the body', () => {
    const body = Buffer.from('{"toHubId":"ü"}');
    const hash = createHash('sha256').update(body).digest('hex');
    for (const path of Object.values(PEER_PATHS))
      expect(text(signInput(path, body, '2026-11-20T10:00:00.000Z', 'n'.repeat(22)))).toBe(
        `service.federation.v1:POST:${path}:${hash}:2026-11-20T10:00:00.000Z:${'n'.repeat(22)}`,
      );
    expect(text(signInput('/federation/v1/peer', new Uint8Array(), 't', 'n'))).toBe(
      'service.federation.v1:POST:/federation/v1/peer:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855:t:n',
    );
  });

  it('of a succession names the hub and both thumbprints, a line each', () => {
    expect(text(successionInput('h', 'a'.repeat(64), 'b'.repeat(64)))).toBe(
      `service.hub-key.v1\nh\n${'a'.repeat(64)}\n${'b'.repeat(64)}`,
    );
  });
});

describe('the headers of a request between hubs have one form', () => {
  it.each([
    ['2026-11-20T10:00:00Z', true],
    ['2026-11-20T10:00:00.123Z', true],
    ['2024-02-29T23:59:59Z', true],
    ['2026-02-29T10:00:00Z', false],
    ['2026-11-31T10:00:00Z', false],
    ['2026-13-01T10:00:00Z', false],
    ['2026-11-20T24:00:00Z', false],
    ['2026-11-20T10:60:00Z', false],
    ['2026-11-20T10:00:60Z', false],
    ['2026-11-20T10:00:00.12Z', false],
    ['2026-11-20T10:00:00.1234Z', false],
    ['2026-11-20T10:00:00+00:00', false],
    ['2026-11-20 10:00:00Z', false],
    ['2026-11-20T10:00:00z', false],
    [' 2026-11-20T10:00:00Z', false],
    ['2026-11-20T10:00:00Z\n', false],
    ['', false],
  ])('timestamp %j: %s', (timestamp, is) => expect(isPeerTimestamp(timestamp)).toBe(is));

  it.each([
    ['a'.repeat(22), true],
    ['Az09_-'.repeat(10), true],
    ['a'.repeat(64), true],
    ['a'.repeat(21), false],
    ['a'.repeat(65), false],
    [`${'a'.repeat(30)}=`, false],
    [`${'a'.repeat(30)}:`, false],
    [`${'a'.repeat(30)}\n`, false],
  ])('nonce %j: %s', (nonce, is) => expect(isPeerNonce(nonce)).toBe(is));

  it('signature: 64 bytes in standard base64, and no second spelling of them', () => {
    expect(isPeerSignature(Buffer.alloc(64, 0xff).toString('base64'))).toBe(true);
    expect(isPeerSignature(Buffer.alloc(64).toString('base64'))).toBe(true);
    for (const length of [63, 65])
      expect(isPeerSignature(Buffer.alloc(length).toString('base64'))).toBe(false);
    expect(isPeerSignature(Buffer.alloc(64, 0xff).toString('base64url'))).toBe(false);
    expect(isPeerSignature(`${'A'.repeat(85)}B==`)).toBe(false);
    expect(isPeerSignature(`${Buffer.alloc(64).toString('base64')}\n`)).toBe(false);
  });
});
