import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { EXIT_CODES } from '../../domain/verification/report/report.ts';
import { UNFINISHED } from '../../domain/verification/formats/reported.ts';
import { trustOf, type Trust } from '../../domain/verification/keys/trust.ts';
import { TwoHubs, type TestSide } from '../support/hubs/two-hubs.ts';

type Path = readonly (string | number)[];

const RUNS = Number(process.env['NOTARY_VERIFIER_RUNS'] ?? 300);

const anyJson: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue> },
  fc.constantFrom<JsonValue[]>(
    null,
    [],
    [null],
    {},
    -1,
    2 ** 53,
    '',
    'AAAA',
    '0oRA',
    { toString: 1, valueOf: 1, length: 'x' },
    JSON.parse('{"__proto__":{"direction":"in"}}') as JsonValue,
  ),
);

const isContainer = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null;

const pathsOf = (value: JsonValue, path: Path = []): Path[] => [
  path,
  ...(isContainer(value)
    ? Object.keys(value).flatMap((name) => pathsOf(value[name]!, [...path, name]))
    : []),
];

/** Another value at a place, or one byte of the base64 there changed. */
const changed = (value: JsonValue, path: Path, put: JsonValue, flip: number | null): JsonValue => {
  const [name, ...rest] = path;
  if (name === undefined)
    return flip === null || typeof value !== 'string' ? put : bent(value, flip);
  if (!isContainer(value)) return value;
  const copy = (Array.isArray(value) ? [...(value as JsonValue[])] : { ...value }) as Record<
    string,
    JsonValue
  >;
  copy[String(name)] = changed(copy[String(name)] ?? null, rest, put, flip);
  return copy;
};

const bent = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) return text;
  bytes[at % bytes.length]! ^= 1 + (at % 255);
  return bytes.toString('base64');
};

describe('any JSON, or any changed byte, at any place of what two hubs signed for each other', () => {
  let files: readonly { readonly document: JsonObject; readonly trust: Trust }[];
  let paths: readonly Path[];
  beforeAll(async () => {
    const hubs = await (await TwoHubs.start()).run();
    const fileOf = async (side: TestSide) => ({
      document: JSON.parse(JSON.stringify(await hubs.export(side))) as JsonObject,
      trust: trustOf({
        kind: 'fingerprint',
        sha256Hex: fingerprintOf(publicKeyFromSpki(side.hub.spki)),
      }),
    });
    files = [await fileOf(hubs.home), await fileOf(hubs.mirror)];
    paths = pathsOf(files[0]!.document['federation']!);
  });

  it('ends as a report of both files, and what sealed bytes contradict is never valid', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.integer({ min: 0, max: 1 }),
        anyJson,
        fc.option(fc.nat({ max: 5_000 })),
        async (place, which, put, flip) => {
          const path = paths[place % paths.length]!;
          const edited = files.map(({ document, trust }, index) => ({
            input: JSON.stringify(
              index === which
                ? { ...document, federation: changed(document['federation']!, path, put, flip) }
                : document,
            ),
            options: { trust },
          }));
          const isSame = edited[which]!.input === JSON.stringify(files[which]!.document);
          const { report, peer, exitCode, verdict } = await verifyBothSides(edited[0]!, edited[1]!);
          for (const one of [report, peer]) {
            expect(one.reasons.join()).not.toContain(UNFINISHED);
            expect(EXIT_CODES[one.verdict]).toBe(one.exitCode);
          }
          expect(EXIT_CODES[verdict]).toBe(exitCode);
          // An answer that has not come contradicts nothing.
          const isUnanswered = path.at(-1) === 'attestation' && put === null && flip === null;
          if (!isSame && !isUnanswered) expect(exitCode).not.toBe(0);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
