import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import { DUMP_FILES, nameOfDumpFile } from '../../../domain/verification/dump/rows/dump-rows.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { rowsOf, sourceOf, type DumpTexts } from '../../support/attackers/dump-files.ts';

// test/vectors/dump-53c069a3/README.md says how it was made.
const folder = new URL('../../vectors/dump-53c069a3/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

it('verifies a dump of an earlier build, whose platform chain names a record that its row does not', async () => {
  const texts = Object.fromEntries(
    DUMP_FILES.map((file) => [file, read(nameOfDumpFile(file))]),
  ) as DumpTexts;
  const ofPush = rowsOf(texts.audit_vault).filter(
    (row) =>
      row['record_id'] === null &&
      readEntry(Buffer.from(String(row['cose_sign1']), 'base64'))?.predicate['recordId'],
  );
  expect(ofPush.map((row) => row['entry_type'])).toEqual([
    'WEBHOOK_CREATED',
    'WEBHOOK_CREATED',
    'WEBHOOK_DELETED',
  ]);
  const sha256Hex = /[0-9a-f]{64}/.exec(read('README.md'))![0];
  const report = await verifyDump(sourceOf(texts), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex }),
    now: new Date().toISOString(),
  });
  expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
});
