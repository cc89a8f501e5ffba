import { describe, expect, it } from 'vitest';
import {
  FingerprintError,
  fingerprintsIn,
} from '../../../adapters/docs/browser/fingerprints-in.ts';

const one = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const two = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const spaced = (text: string): string => text.match(/../g)!.join(' ');
const pairs = (text: string): string => text.match(/../g)!.join(':').toUpperCase();

const faultOf = (text: string): string => {
  try {
    fingerprintsIn(text);
    return '';
  } catch (error) {
    if (error instanceof FingerprintError) return error.message;
    throw error;
  }
};

describe('the field with fingerprints', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['nothing', ' ', []],
    ['one', one, [one]],
    ['one with spaces between its digits', spaced(one), [one]],
    ['one with a prefix and a space', `sha256: ${pairs(one)}`, [one]],
    ['two with a space between them', `${one} sha256:${two}`, [one, two]],
    ['two with spaces everywhere', `${spaced(one)}  ${spaced(two)}`, [one, two]],
    ['two with a comma', `${pairs(one)},${two}`, [one, two]],
    ['two with a semicolon and an end', `${one}; ${two};`, [one, two]],
  ])('takes %s', (_what, text, expected) => {
    expect(fingerprintsIn(text)).toEqual(expected);
  });

  it('counts the digits if some are missing or too many', () => {
    expect(faultOf(one.slice(1))).toMatch(/^This has 63 digits, and a fingerprint has 64\. /);
    expect(faultOf(`sha256:${pairs(one)}0`)).toMatch(/^This has 65 digits/);
    expect(faultOf(`${two} ${one.slice(2)}`)).toMatch(/^This has 62 digits/);
  });

  it('says which form is needed, with an example that it takes itself', () => {
    const said = faultOf('my key');
    expect(said).toMatch(/^This is not a fingerprint\. A fingerprint is .* 64 digits/);
    const [example] = /sha256:[0-9a-f]{64}/.exec(said)!;
    expect(fingerprintsIn(example)).toHaveLength(1);
  });

  it('does not repeat a secret that was put into the wrong field', () => {
    for (const secret of ['nk_live_abcdef0123456789', `sha256:${one}x`, `${one},hunter2`])
      expect(faultOf(secret)).not.toMatch(/nk_live|hunter2|e3b0c4/);
  });
});
