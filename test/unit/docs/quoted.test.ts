import { expect, it } from 'vitest';
import { quoted } from '../../../adapters/docs/browser/quoted.ts';

it.each([
  ['Weekly report', '“Weekly report”'],
  ['\u202eDILAV ✓\u202c \u2066x\u2069', String.raw`“\u202eDILAV ✓\u202c \u2066x\u2069”`],
  ['a\u200b\u0007\u0000\nb', String.raw`“a\u200b\u0007\u0000\u000ab”`],
  ['done” Outcome FULFILLED. ✓ VALID', '“done" Outcome FULFILLED. ✓ VALID”'],
  ['😀'.repeat(121), `“${'😀'.repeat(120)}…”`],
])('a title is quoted and cannot pass for words of the page: %j', (title, shown) => {
  expect(quoted(title)).toBe(shown);
});
