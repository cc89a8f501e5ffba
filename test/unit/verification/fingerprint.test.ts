import { describe, expect, it } from 'vitest';
import { fingerprintFrom } from '../../../domain/verification/keys/fingerprint.ts';

const hex = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const base64 = Buffer.from(hex, 'hex').toString('base64');
const pairs = hex.match(/../g)!.join(':');

describe('a fingerprint', () => {
  it.each([
    ['bare', hex],
    ['upper case', hex.toUpperCase()],
    ['with its prefix', `sha256:${hex}`],
    ['with the prefix in capitals', `SHA256:${hex}`],
    ['with the prefix of other tools', `SHA-256:${hex.toUpperCase()}`],
    ['in pairs', pairs],
    ['in pairs, in capitals, with the prefix', `sha256:${pairs.toUpperCase()}`],
    ['in pairs, with a colon missing', pairs.replace(':', '')],
    ['in groups, with spaces between them', hex.match(/.{8}/g)!.join(' ')],
    ['with a space after the prefix', `sha256: ${pairs}`],
    ['in base64, as ssh-keygen writes it', `SHA256:${base64.replace('=', '')}`],
    ['in padded base64', `sha256:${base64}`],
    ['with white space around it', ` ${hex}\n`],
  ])('is understood %s', (_form, text) => {
    expect(fingerprintFrom(text)).toBe(hex);
  });

  it.each([
    ['too short', hex.slice(1)],
    ['too long', `${hex}0`],
    ['base64 that a file may be called', base64],
    ['base64 with bits left over', `sha256:${base64.replace(/.=$/, 'V')}`],
    ['another hash', `sha512:${hex}`],
    ['nothing', ''],
  ])('is not: %s', (_what, text) => {
    expect(fingerprintFrom(text)).toBeNull();
  });
});
