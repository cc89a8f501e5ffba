import { describe, expect, it } from 'vitest';
import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import { API_KEYS } from '../../../adapters/sql/identity/identity-row.ts';
import { RowMacs } from '../../../adapters/sql/tables/row-macs.ts';
import { AGENTS } from '../../../adapters/sql/identity/identity-row.ts';
import type { RawRow, SealedTable } from '../../../adapters/sql/tables/sealed-table.ts';
import type { SqlValue } from '../../../adapters/sql/base/session.ts';
import { sampleAgent, sampleApiKey, uuid } from '../../contract/sql/samples.ts';

const [old, current] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
];
const macs = (...secrets: readonly Uint8Array[]): RowMacs => new RowMacs(rowKeysOf(secrets));
const stored = (table: SealedTable, values: readonly SqlValue[]): RawRow =>
  Object.fromEntries(table.columns.map((column, at) => [column, values[at]!]));
const apiKey = (): RawRow =>
  stored(
    API_KEYS,
    macs(current).seal(API_KEYS, API_KEYS.toRow(sampleApiKey({ label: 'a', allowedIps: [] }))),
  );

describe('the MAC of a row', () => {
  it('holds over every column but those that change without an entry', () => {
    const row = apiKey();
    expect(macs(current).holds(API_KEYS, row)).toBe(true);
    const free = API_KEYS.columns.filter((column) => {
      const value = row[column]!;
      const edited = typeof value === 'number' ? value + 1 : value === null ? 'x' : null;
      return macs(current).holds(API_KEYS, { ...row, [column]: edited });
    });
    expect(free).toEqual(['last_used_at']);
  });

  it('tells kinds of value and their borders apart', () => {
    const row = apiKey();
    const edits: readonly RawRow[] = [
      { label: 'a\nrole:s5:agent' },
      { label: '' },
      { is_active: '1' },
      { label: Buffer.from('a') },
    ];
    for (const edit of edits)
      expect(macs(current).holds(API_KEYS, { ...row, ...edit }), JSON.stringify(edit)).toBe(false);
  });

  it('is of its table: another one takes it for no row of its own', () => {
    const agent = sampleAgent(uuid());
    const row = stored(AGENTS, macs(current).seal(AGENTS, AGENTS.toRow(agent)));
    expect(macs(current).holds(AGENTS, row)).toBe(true);
    expect(macs(current).holds(API_KEYS, row)).toBe(false);
  });

  it('names its secret: an older one still verifies, a dropped one does not', () => {
    const row = stored(AGENTS, macs(old).seal(AGENTS, AGENTS.toRow(sampleAgent(uuid()))));
    expect(macs(current, old).holds(AGENTS, row)).toBe(true);
    expect(macs(current).holds(AGENTS, row)).toBe(false);
    const named = { ...row, row_key: rowKeysOf([current])[0]!.id };
    expect(macs(current, old).holds(AGENTS, named)).toBe(false);
  });

  it('is not made without a secret', () => {
    expect(() => macs().seal(AGENTS, AGENTS.toRow(sampleAgent(uuid())))).toThrow('row key');
  });
});
