import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import { EXIT_CODES, type VerificationReport } from '../../domain/verification/report/report.ts';
import { UNFINISHED } from '../../domain/verification/formats/reported.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { TestHub, type HubOptions } from '../support/attackers/make-export.ts';

type Path = readonly (string | number)[];

/** Any JSON, with what a reader might trip over; names of members of ours among the names. */
const anyJson: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue> },
  fc.constantFrom<JsonValue[]>(
    null,
    [null],
    [[[]]],
    {},
    [{}],
    -1,
    0,
    2 ** 53,
    1e308,
    '',
    'x'.repeat(70_000),
    '\u009b31m\u202e',
    { toString: 1, valueOf: 1, toJSON: 1, length: 'x', then: 1 },
    JSON.parse('{"__proto__":{"position":1},"constructor":null}') as JsonValue,
    Array.from({ length: 3_000 }, () => 0),
    JSON.parse(`${'['.repeat(120)}${']'.repeat(120)}`) as JsonValue,
  ),
  fc.dictionary(
    fc.constantFrom('position', 'coseSign1', 'hash', 'sha256', 'predicate', 'subject', 'name', 'x'),
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
  ),
);

const isContainer = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;

const pathsOf = (value: JsonValue, path: Path = []): Path[] => [
  ...(path.length > 0 ? [path] : []),
  ...(isContainer(value)
    ? Object.keys(value).flatMap((name) => pathsOf(value[name]!, [...path, name]))
    : []),
];

/** Takes something away, puts something in its place, or beside it. */
const change = (document: JsonObject, path: Path, how: string, put: JsonValue): void => {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, name) => (isContainer(value) ? value[name] : undefined), document);
  // An earlier change may have taken it away.
  if (!isContainer(holder)) return;
  const name = path.at(-1)!;
  if (how === 'replace') Object.assign(holder, { [name]: put });
  else if (Array.isArray(holder)) {
    if (how === 'delete') holder.splice(Number(name), 1);
    else holder.splice(Number(name), 0, put);
  } else if (how === 'delete') Reflect.deleteProperty(holder, name);
  else Object.assign(holder, { [`${name}x`]: put });
};

describe.each<{ what: string; options: HubOptions }>([
  { what: 'an export', options: {} },
  {
    what: 'an export in CBOR with ES256',
    options: { algorithm: 'ES256', canonicalization: 'cde' },
  },
  { what: 'a signed statement', options: {} },
])('$what with any JSON at any of its places', ({ what, options }) => {
  let genuine: JsonObject;
  let text: string;
  let hub: TestHub;
  let kept: string;
  const keys = new HubKeys();
  beforeAll(async () => {
    hub = await TestHub.start(options);
    const chain = await hub.gate();
    kept = JSON.stringify(hub.kept(chain, 2));
    text = what === 'a signed statement' ? kept : JSON.stringify(await hub.export(chain));
    genuine = JSON.parse(text) as JsonObject;
  });

  const verify = (input: string): Promise<VerificationReport> =>
    verifyFile(input, {
      trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
      keys,
      story: { maxSteps: 10 },
      kept: what === 'a signed statement' ? [] : [kept],
    });

  it('ends as a report that holds together', async () => {
    const paths = pathsOf(genuine);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            path: fc.constantFrom(...paths),
            how: fc.constantFrom('replace', 'delete', 'insert'),
            put: anyJson,
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (changes) => {
          const mutant = structuredClone(genuine);
          for (const { path, how, put } of changes) change(mutant, path, how, put);
          expectSound(await verify(JSON.stringify(mutant)));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('cut, doubled or spliced as text ends as one too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(text.length),
        fc.string({ unit: 'binary', maxLength: 8 }),
        async (from, to, between) =>
          expectSound(await verify(text.slice(0, from) + between + text.slice(to))),
      ),
      { numRuns: RUNS },
    );
  });
});

const RUNS = Number(process.env['NOTARY_VERIFIER_RUNS'] ?? 400);

const expectSound = (report: VerificationReport): void => {
  expect(report.exitCode === EXIT_CODES[report.verdict] || report.kept.length > 0).toBe(true);
  expect(report.failures.length > 0).toBe(report.brokenAt !== null);
  expect(report.failureCount).toBe(report.failures.length);
  if (report.verdict === 'cannot_tell') expect(report.reasons.length).toBeGreaterThan(0);
  if (report.verdict === 'valid') {
    expect(report.failures).toEqual([]);
    expect(report.reasons).toEqual([]);
  }
  const failed = Object.values(report.checks).some(({ result }) => result === 'failed');
  expect(failed).toBe(report.failures.length > 0);
  expect(report.reasons.filter((reason) => reason.startsWith(UNFINISHED))).toEqual([]);
  const { kind, keyIds, chainKey } = report.subject;
  const texts = [kind, chainKey, ...keyIds, ...report.reasons, ...report.notes].concat(
    report.failures.flatMap((failure) => [failure.detail, failure.chainKey]),
    report.kept.flatMap((outcome) => [outcome.detail, outcome.chainKey]),
  );
  expect(`${texts.join('')}${JSON.stringify(report.story)}`).not.toMatch(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
  );
  if (report.story) expect(report.story.verified).toBe(report.verdict === 'valid');
};
