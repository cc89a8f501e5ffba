import knex from 'knex';
import { afterAll, describe, expect, it } from 'vitest';
import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';
import { Lister } from '../../../adapters/sql/listing/keyset.ts';
import { SqlRecordReads } from '../../../adapters/sql/records/record-reads.ts';
import type { Reader } from '../../../adapters/sql/tables/reader.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import { uuid } from '../../contract/sql/samples.ts';

const builder = knex({ client: 'better-sqlite3', useNullAsDefault: true });
const agentId = uuid();

/** The indexes by which pages are read where each has so many rows for what is asked; null: the planner's choice. */
const indexesOf = async (sizes: Readonly<Record<string, number>>, more: Partial<RecordFilter>) => {
  const pages: (string | null)[] = [];
  let probes = 0;
  const reader = {
    all: (sql: string) => {
      const index = /INDEXED BY (\w+)|FORCE INDEX \((\w+)\)/.exec(sql)?.[1] ?? null;
      if (/ offset /.test(sql)) return Promise.resolve([]);
      if (!/count\(\*\)/i.test(sql)) pages.push(index);
      else if (index) probes++;
      return Promise.resolve([{ n: sizes[index ?? ''] ?? 0 }]);
    },
  } as unknown as Reader;
  const reads = new SqlRecordReads(reader, new Lister(builder, reader), SQLITE);
  const filter = { reader: { agentId }, sort: '-createdAt' as const, ...more };
  await reads.list(filter, { limit: 20, after: null }).catch(() => null);
  return { pages: pages.toSorted(), probes };
};

const PRINCIPAL = 'records_by_principal_agent_id_created_at';
const PERFORMER = 'records_by_performer_agent_id_created_at';
const STATUS = 'records_by_status_created_at';
const MANY = 10_000_000;

describe('the index by which SQLite reads a listing with several conditions', () => {
  afterAll(() => builder.destroy());

  it('is that of the rarest, of each side by itself', async () => {
    const small = { [PRINCIPAL]: MANY, [PERFORMER]: 0, [STATUS]: 30_000 };
    expect((await indexesOf(small, { status: 'FULFILLED' })).pages).toEqual([PERFORMER, STATUS]);
    const guest = { [PRINCIPAL]: 12, [PERFORMER]: 5_000, [STATUS]: MANY };
    expect((await indexesOf(guest, { status: 'RECORDED' })).pages).toEqual([PERFORMER, PRINCIPAL]);
  });

  it('is that of the party in the order of the listing where all have many rows, and where many would have to be sorted', async () => {
    const all = { [PRINCIPAL]: MANY, [PERFORMER]: MANY, [STATUS]: MANY };
    expect((await indexesOf(all, { status: 'RECORDED' })).pages).toEqual([PERFORMER, PRINCIPAL]);
    const byChange = 'records_by_principal_agent_id_updated_at';
    const sorted = { [byChange]: MANY, [PERFORMER]: MANY, [STATUS]: 50_000 };
    expect((await indexesOf(sorted, { status: 'FAILED', sort: '-updatedAt' })).pages).toEqual([
      byChange,
      'records_by_updated_at',
    ]);
  });

  it('is the one of a publisher or a platform with few rows', async () => {
    const publishers = 'records_by_publisher_created_at';
    const platforms = 'records_by_platform_created_at';
    const rare = { [PRINCIPAL]: MANY, [PERFORMER]: MANY, [publishers]: 3, [platforms]: 3 };
    for (const [more, index] of [
      [{ publisher: 'acme' }, publishers],
      [{ platform: 'erp' }, platforms],
    ] as const) {
      expect((await indexesOf(rare, more)).pages).toEqual([index, index]);
    }
    // Nearly all records have this one.
    expect((await indexesOf(rare, { platform: 'api' })).pages).toEqual([PERFORMER, PRINCIPAL]);
  });

  it('is that of the id for a prefix of few, and the order of the listing for one of many', async () => {
    const q = '01a2';
    expect((await indexesOf({ '': 7, [PRINCIPAL]: MANY }, { q })).pages[0]).toBe(null);
    const many = { '': MANY, [PRINCIPAL]: MANY, [PERFORMER]: MANY };
    expect((await indexesOf(many, { q })).pages).toContain(PRINCIPAL);
    expect((await indexesOf(many, { q, reader: null })).pages).toContain('records_by_created_at');
  });

  it('is looked for with more than one condition alone', async () => {
    expect((await indexesOf({}, {})).probes).toBe(0);
    expect((await indexesOf({}, { status: 'RECORDED' })).probes).toBeGreaterThan(0);
  });
});
