import { expect, test } from 'vitest';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import {
  completeManifest,
  isNotarizeOnly,
  manifestDigest,
  type ManifestBody,
} from '../../../domain/record-type/manifest.ts';

const context = { orgSlug: 'acme', nextVersion: 3 };
const body = (change: Partial<ManifestBody> = {}): ManifestBody => ({
  type: 'report',
  completionSchema: { type: 'object' },
  ...change,
});
const refusal = (change: Partial<ManifestBody>): NotaryError => {
  try {
    completeManifest(body(change), context);
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
  throw new Error('accepted');
};

test('every default is filled in', () => {
  expect(completeManifest(body({ gates: [{ id: 'g', expression: 'true' }] }), context)).toEqual({
    type: 'report',
    publisher: 'acme',
    version: 3,
    title: null,
    description: null,
    criteriaSchema: { type: 'object' },
    completionSchema: { type: 'object' },
    gateMode: 'principal',
    operatingMode: 'cleartext',
    gates: [{ id: 'g', description: '', expression: 'true', severity: 'block' }],
    cascade: { rule: 'none' },
    compatibilityMode: 'backward',
    maxDelegationDepth: 5,
    maxDisputes: 1,
    maxRevisions: 3,
    defaultTtlSeconds: null,
    verdictWindowSeconds: 604800,
    disputeWindowSeconds: 604800,
    evidenceWindowSeconds: 259200,
    public: false,
    exampleCriteria: null,
    exampleEvidence: null,
  });
});

test('the digest depends on the meaning: a default that is spelled out changes nothing, another value does', () => {
  const digest = (change: Partial<ManifestBody>): string =>
    manifestDigest(completeManifest(body(change), context));
  expect(digest({ gateMode: 'principal', maxRevisions: 3, publisher: 'acme' })).toBe(digest({}));
  expect(digest({ maxRevisions: 4 })).not.toBe(digest({}));
  expect(digest({})).toMatch(/^[0-9a-f]{64}$/);
});

test('completionSchema {} alone makes a type notarize-only', () => {
  expect(isNotarizeOnly(completeManifest(body({ completionSchema: {} }), context))).toBe(true);
  expect(isNotarizeOnly(completeManifest(body(), context))).toBe(false);
});

test('an encrypted type keeps its schemas and gates, for the parties, and may be notarize-only', () => {
  const gates = [{ id: 'g', expression: 'evidence.score > 1' }];
  expect(
    completeManifest(
      body({ operatingMode: 'encrypted', gates, exampleEvidence: { score: 2 } }),
      context,
    ),
  ).toMatchObject({
    operatingMode: 'encrypted',
    gateMode: 'principal',
    gates,
    exampleEvidence: { score: 2 },
  });
  expect(
    isNotarizeOnly(
      completeManifest(body({ operatingMode: 'encrypted', completionSchema: {} }), context),
    ),
  ).toBe(true);
});

test.each(['service', 'platform', 'system', 'internal'])(
  "the publisher label %s is nobody's",
  (publisher) => {
    expect(refusal({ publisher })).toMatchObject({
      code: 'RESERVED_PUBLISHER_LABEL',
      members: { publisher },
    });
  },
);

test.each<[string, Partial<ManifestBody>, string]>([
  ['a reserved type name', { type: 'export' }, '/type'],
  [
    'an encrypted type that decides by itself',
    { operatingMode: 'encrypted', gateMode: 'auto' },
    '/gateMode',
  ],
  [
    'gates without a completion',
    { completionSchema: {}, gates: [{ id: 'g', expression: 'true' }] },
    '/gates',
  ],
  [
    'a cascade without a completion',
    { completionSchema: {}, cascade: { rule: 'all-fulfilled' } },
    '/cascade/rule',
  ],
  [
    'a gate id twice',
    {
      gates: [
        { id: 'g', expression: 'true' },
        { id: 'g', expression: 'true' },
      ],
    },
    '/gates/1/id',
  ],
  [
    'the gate id of the cascade rule',
    { gates: [{ id: 'cascade', expression: 'true' }] },
    '/gates/0/id',
  ],
  [
    '65 gates',
    { gates: Array.from({ length: 65 }, (_, i) => ({ id: `g${i}`, expression: 'true' })) },
    '/gates',
  ],
  [
    'an expression of more than 4 KiB in UTF-8',
    { gates: [{ id: 'g', expression: 'é'.repeat(2049) }] },
    '/gates/0/expression',
  ],
  ['a quorum without a number', { cascade: { rule: 'quorum' } }, '/cascade/quorum'],
  ['a quorum of none', { cascade: { rule: 'quorum', quorum: 0 } }, '/cascade/quorum'],
  [
    'a number without a quorum',
    { cascade: { rule: 'any-fulfilled', quorum: 2 } },
    '/cascade/quorum',
  ],
])('%s is 422 and says where', (_title, change, path) => {
  const error = refusal(change);
  expect(error.code).toBe('UNPROCESSABLE');
  expect(error.members.errors?.map((fault) => fault.path)).toEqual([path]);
});

test('all contradictions are told at once', () => {
  expect(
    refusal({
      type: 'import',
      cascade: { rule: 'quorum' },
      completionSchema: {},
      gates: [{ id: 'g', expression: 'true' }],
    }).members.errors,
  ).toHaveLength(4);
});
