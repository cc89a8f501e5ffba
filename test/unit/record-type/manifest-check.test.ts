import { expect, test } from 'vitest';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import {
  COMPLETE_MANIFEST,
  MANIFEST,
  NOTARIZE_ONLY_MANIFEST,
} from '../../../application/record-type/examples.ts';
import { manifestCheck } from '../../../application/record-type/manifest-check.ts';
import {
  completeManifest,
  manifestDigest,
  type ManifestBody,
} from '../../../domain/record-type/manifest.ts';

const check = manifestCheck(new AjvInputCheck());
const registered = (body: unknown) =>
  completeManifest(body as ManifestBody, { orgSlug: 'acme', nextVersion: 3 });

test.each<[string, unknown]>([
  ['with gates', MANIFEST],
  ['that notarizes', NOTARIZE_ONLY_MANIFEST],
  ['that says everything', COMPLETE_MANIFEST],
  ['that says nothing but what it must', { type: 'report', completionSchema: { type: 'object' } }],
  ['with a quorum', { ...MANIFEST, cascade: { rule: 'quorum', quorum: 2 } }],
  ['of encrypted content', { ...MANIFEST, gateMode: 'principal', operatingMode: 'encrypted' }],
])('a manifest %s is taken as it was registered', (_, body) => {
  const manifest = registered(body);
  expect(check(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
});

test.each(Object.keys(registered(MANIFEST)))('%s left out makes another manifest', (name) => {
  const manifest = registered({ ...MANIFEST, title: 'A title' });
  const rest = Object.fromEntries(Object.entries(manifest).filter(([member]) => member !== name));
  const digest = (): string => manifestDigest(check(rest));
  if (name === 'type' || name === 'completionSchema') expect(digest).toThrow('is required');
  else expect(digest()).not.toBe(manifestDigest(rest as unknown as ManifestBody));
});
