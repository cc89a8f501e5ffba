import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';

export const LONG = 'a'.repeat(20_000);
/** Contains the right-to-left override, so the rest is displayed backwards. */
export const TURNED = 'paid \u202Etxt.exe';

/** References that no operation accepts: what is wrong, and the members that are. */
export const REFERENCES: readonly (readonly [string, JsonObject])[] = [
  ['a URI that runs a script', { uri: 'javascript:alert(1)' }],
  ['a label of 20,000 letters', { label: LONG }],
  ['a label that changes its writing direction', { label: TURNED }],
  ['a kind of two lines', { kind: 'one\ntwo' }],
  ['a URI of 20,000 letters', { uri: `https://files.example/${LONG}` }],
  ['a digest that is not valid', { digest: { alg: 'sha-256', value: 'none' } }],
];
