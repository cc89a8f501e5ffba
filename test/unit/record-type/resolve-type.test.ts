import { expect, test } from 'vitest';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { Manifest, RecordType } from '../../../domain/record-type/manifest.ts';
import { resolveType, type TypeRequest } from '../../../domain/record-type/resolve-type.ts';

const row = (
  publisher: string,
  version: number,
  status: RecordType['status'] = 'active',
): RecordType => ({
  id: `${publisher}-${version}`,
  orgId: 'org',
  publisher,
  type: 'report',
  version,
  manifest: {} as Manifest,
  manifestDigest: '',
  status,
  registeredBy: null,
  entryPosition: 1,
  registeredAt: '2026-01-01T00:00:00.000Z',
});
const own = [row('acme', 3, 'disabled'), row('acme', 2), row('acme', 1)];
const both = [...own, row('other', 7)];

const resolve = (request: Omit<TypeRequest, 'type'>, rows: readonly RecordType[]): string => {
  try {
    return resolveType({ type: 'report', ...request }, rows, ['invoice', 'report']).id;
  } catch (error) {
    if (!(error instanceof NotaryError)) throw error;
    return `${error.code} ${(error.members.publishers ?? error.members.allowedValues ?? []).join(',')}`;
  }
};

test.each<[string, Omit<TypeRequest, 'type'>, readonly RecordType[], string]>([
  ['the newest active version', {}, own, 'acme-2'],
  ['the version asked for', { contractVersion: 1 }, own, 'acme-1'],
  ['the publisher asked for', { publisher: 'other' }, both, 'other-7'],
  [
    'a version of the publisher asked for',
    { publisher: 'acme', contractVersion: 1 },
    both,
    'acme-1',
  ],
  [
    'the only publisher with an active version',
    {},
    [row('acme', 1, 'disabled'), row('other', 7)],
    'other-7',
  ],
  ['two publishers', {}, both, 'AMBIGUOUS_PUBLISHER acme,other'],
  [
    'two publishers, though only one has the version',
    { contractVersion: 7 },
    both,
    'AMBIGUOUS_PUBLISHER acme,other',
  ],
  ['an unknown type', {}, [], 'UNPROCESSABLE invoice,report'],
  ['an unknown publisher', { publisher: 'nobody' }, both, 'UNPROCESSABLE acme,other'],
  ['an unknown version', { contractVersion: 9 }, own, 'UNPROCESSABLE 2,1'],
  ['a disabled version', { contractVersion: 3 }, own, 'UNPROCESSABLE 2,1'],
  ['a disabled type', {}, [row('acme', 1, 'disabled')], 'UNPROCESSABLE invoice,report'],
])('%s', (_title, request, rows, expected) => {
  expect(resolve(request, rows)).toBe(expected);
});
