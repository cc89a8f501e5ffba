import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { DUMP_FILES, type DumpFile } from '../../domain/verification/dump/rows/dump-rows.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { UNFINISHED } from '../../domain/verification/formats/reported.ts';
import { rowsOf, sourceOf } from '../support/attackers/dump-files.ts';
import {
  altered,
  withByte,
  withBytes,
  withoutRow,
  withRow,
  withRowsSwapped,
  withRowTwice,
  type Mutation,
} from '../support/attackers/dump-mutations.ts';
import { makeGenuineDump, type GenuineDump } from '../support/attackers/genuine-dump.ts';

const RUNS = Number(process.env['NOTARY_TAMPER_RUNS'] ?? 100);

let genuine: GenuineDump;
beforeAll(async () => {
  genuine = await makeGenuineDump(4);
});

/** What is done to a row or a byte, by numbers that any file has room for. */
const mutation = fc.record({
  file: fc.constantFrom(...DUMP_FILES),
  how: fc.constantFrom(
    'byte',
    'byte',
    'remove',
    'double',
    'swap',
    'alter',
    'drop member',
    'rename member',
    'copy member',
    'flip in bytes',
  ),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  other: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.integer({ min: 0, max: 255 }),
});
type Change = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

const apply = ({ file, how, at, other, byte }: Change): Mutation['texts'] => {
  const { texts } = genuine;
  const rows = rowsOf(texts[file]);
  const index = Math.floor(at * rows.length);
  const second = Math.floor(other * rows.length);
  const names = Object.keys(rows[0]!);
  const name = names[Math.floor(other * names.length)]!;
  const change = (edit: (row: JsonObject) => JsonObject): Mutation['texts'] =>
    withRow(texts, file, index, edit);
  switch (how) {
    case 'byte':
      return withByte(texts, file, Math.floor(at * Buffer.byteLength(texts[file])), byte);
    case 'remove':
      return withoutRow(texts, file, index);
    case 'double':
      return withRowTwice(texts, file, index);
    case 'swap':
      return withRowsSwapped(texts, file, index, second);
    case 'alter':
      return change((row) => ({ ...row, [name]: altered(row[name]!) }));
    case 'drop member':
      return change(({ [name]: _, ...row }) => row);
    case 'rename member':
      return change(({ [name]: value, ...row }) => ({ ...row, [`${name}_`]: value as JsonValue }));
    case 'copy member':
      return change((row) => ({ ...row, [name]: rows[second]![name]! }));
    default:
      return change((row) =>
        row['cose_sign1'] === undefined
          ? { ...row, [name]: altered(row[name]!) }
          : withBytes(row, (bytes) => {
              const place = Math.floor(other * bytes.length);
              return bytes.with(place, bytes[place]! ^ (byte || 1));
            }),
      );
  }
};

const isSame = (texts: Mutation['texts']): boolean =>
  DUMP_FILES.every(
    (file: DumpFile) =>
      Buffer.compare(Buffer.from(texts[file] ?? ''), Buffer.from(genuine.texts[file])) === 0,
  );

/** What no later leaf follows is only missed by its chain, whose end nothing covers then. */
const isWithoutLastLeaf = ({ file, how, at }: Change): boolean => {
  const { length } = rowsOf(genuine.texts.vault_checkpoints);
  return file === 'vault_checkpoints' && how === 'remove' && Math.floor(at * length) === length - 1;
};

/** No other checkpoint names one of a log of reads: only what it alone covers is missed. */
const isWithoutCheckpoint = ({ file, how }: Change): boolean =>
  file === 'org_admin_reads_checkpoints' && how === 'remove';

describe('any change of a dump', () => {
  it(
    'is found: the dump is valid no more, and the verifier comes to its end',
    () =>
      fc.assert(
        fc.asyncProperty(mutation, async (change) => {
          const texts = apply(change);
          const report = await verifyDump(sourceOf(texts), {
            trust: genuine.trust,
            expectRoot: genuine.root,
          });
          expect(report.reasons.join()).not.toContain(UNFINISHED);
          if (isWithoutCheckpoint(change)) return;
          expect(report.verdict).toBe(
            isSame(texts) ? 'valid' : isWithoutLastLeaf(change) ? 'cannot_tell' : 'invalid',
          );
        }),
        { numRuns: RUNS },
      ),
    60_000 + RUNS * 1_000,
  );
});
