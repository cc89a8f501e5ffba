import knex from 'knex';
import { afterAll, describe, expect, it } from 'vitest';
import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';
import { Lister, TOTAL_CAP } from '../../../adapters/sql/listing/keyset.ts';
import { SqlRecordReads } from '../../../adapters/sql/records/record-reads.ts';
import type { Reader } from '../../../adapters/sql/tables/reader.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import { uuid } from '../../contract/sql/samples.ts';

const builder = knex({ client: 'better-sqlite3', useNullAsDefault: true });
const agentId = uuid();

/** A store of so many rows, whatever is asked. */
const storeOf = (rows: () => number) => {
  const counts: string[] = [];
  const reader = {
    all: (sql: string, values: readonly unknown[]) => {
      if (!/count\(\*\)/i.test(sql)) return Promise.resolve([]);
      if (!values.includes(TOTAL_CAP + 1)) return Promise.resolve([{ n: Infinity }]);
      counts.push(sql);
      return Promise.resolve([{ n: Math.min(rows(), TOTAL_CAP + 1) }]);
    },
  } as unknown as Reader;
  const reads = new SqlRecordReads(reader, new Lister(builder, reader), SQLITE);
  const list = (more: Partial<RecordFilter> = {}) =>
    reads.list({ reader: { agentId }, sort: '-createdAt', ...more }, { limit: 20, after: null });
  return { list, counts };
};

describe('the total of a listing', () => {
  afterAll(() => builder.destroy());

  it('that can only grow is counted no more once it is beyond the cap', async () => {
    const { list, counts } = storeOf(() => TOTAL_CAP + 1);
    for (const more of [{}, { type: 'note' }, { updatedFrom: '2026-01-01T00:00:00.000Z' }]) {
      counts.length = 0;
      const [first, second] = [await list(more), await list(more)];
      expect(counts).toHaveLength(1);
      expect(first).toMatchObject({ total: TOTAL_CAP, totalIsCapped: true });
      expect(second).toEqual(first);
    }
  });

  it('is counted each time up to the cap, and where rows may leave it', async () => {
    let rows = TOTAL_CAP / 2;
    const { list, counts } = storeOf(() => rows);
    await list();
    rows = 7;
    expect(await list()).toMatchObject({ total: 14, totalIsCapped: false });
    rows = TOTAL_CAP + 1;
    for (const more of [
      { status: 'RECORDED' },
      { statuses: ['ACTIVE'] },
      { disputed: true },
      { performerAgentId: agentId },
      { updatedTo: '2026-01-01T00:00:00.000Z' },
    ] satisfies Partial<RecordFilter>[]) {
      rows = TOTAL_CAP + 1;
      await list(more);
      rows = 0;
      expect(await list(more)).toMatchObject({ total: 0, totalIsCapped: false });
    }
    expect(counts.length).toBeGreaterThan(10);
  });
});
