import { beforeAll, describe, expect, it } from 'vitest';
import type { Keyset, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

const ORGS = [uuid(), uuid(), uuid()] as const;
const AGENTS = [uuid(), uuid(), uuid(), uuid()] as const;
const ROOT = uuid();

/** Records whose members differ in every way that a filter can tell, many of them at the same moment. */
const population = (): RecordState[] =>
  Array.from({ length: 120 }, (_, i) => {
    const id = i === 0 ? ROOT : uuid();
    return sampleRecord({
      id,
      orgId: ORGS[i % 2]!,
      performerOrgId: i % 3 === 0 ? null : ORGS[(i >> 1) % 3]!,
      principalAgentId: AGENTS[i % 3]!,
      performerAgentId: i % 4 === 0 ? null : AGENTS[(i >> 2) % 4]!,
      status: (['RECORDED', 'ACTIVE', 'FULFILLED'] as const)[i % 3]!,
      schema: {
        ...sampleRecord().schema,
        type: i % 5 === 0 ? 'order' : 'ledger.entry',
        publisher: i % 7 === 0 ? 'other' : 'acme',
      },
      platform: i % 6 === 0 ? 'erp' : 'api',
      platformRef: i % 2 ? `ref-${i % 10}` : null,
      parentRecordId: i > 0 && i % 9 === 0 ? ROOT : null,
      rootRecordId: i > 0 && i % 9 === 0 ? ROOT : id,
      disputed: i % 11 === 0,
      createdAt: at((i >> 2) * 10),
      updatedAt: at(5_000 - (i >> 1)),
    });
  });

/** What the port says, without any database. */
const expected = (all: readonly RecordState[], filter: RecordFilter): string[] => {
  const { reader, q, sort } = filter;
  const key = sort.endsWith('createdAt') ? 'createdAt' : 'updatedAt';
  const matches = (r: RecordState): boolean =>
    (reader === null ||
      ('agentId' in reader
        ? [r.principalAgentId, r.performerAgentId].includes(reader.agentId)
        : [r.orgId, r.performerOrgId].includes(reader.orgId))) &&
    (filter.status ?? r.status) === r.status &&
    (filter.type ?? r.schema.type) === r.schema.type &&
    (filter.publisher ?? r.schema.publisher) === r.schema.publisher &&
    (filter.principalAgentId ?? r.principalAgentId) === r.principalAgentId &&
    (filter.performerAgentId ?? r.performerAgentId) === r.performerAgentId &&
    (filter.parentRecordId ?? r.parentRecordId) === r.parentRecordId &&
    (filter.rootRecordId ?? r.rootRecordId) === r.rootRecordId &&
    (filter.platform ?? r.platform) === r.platform &&
    (filter.platformRef ?? r.platformRef) === r.platformRef &&
    (filter.disputed ?? r.disputed) === r.disputed &&
    (filter.createdFrom === undefined || r.createdAt >= filter.createdFrom) &&
    (filter.createdTo === undefined || r.createdAt < filter.createdTo) &&
    (filter.updatedFrom === undefined || r.updatedAt >= filter.updatedFrom) &&
    (filter.updatedTo === undefined || r.updatedAt < filter.updatedTo) &&
    (q === undefined || r.id.startsWith(q) || (r.platformRef?.startsWith(q) ?? false));
  const ascending = all.filter(matches).sort((a, b) => (a[key] + a.id < b[key] + b.id ? -1 : 1));
  return (sort.startsWith('-') ? ascending.reverse() : ascending).map(({ id }) => id);
};

export const recordListingSuite = (kind: DatabaseKind): void => {
  describe(`record listing on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const records = population();
    const list = (filter: RecordFilter, slice: SliceRequest) =>
      database().adapter.reads.records.list(filter, slice);

    beforeAll(async () => {
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (const record of records) await stores.records.insert(record);
      });
    });

    const walk = async (filter: RecordFilter, limit: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let after: Keyset | null = null; ;) {
        const slice = await list(filter, { limit, after });
        expect(slice.rows.length).toBeLessThanOrEqual(limit);
        ids.push(...slice.rows.map(({ id }) => id));
        if (!slice.next) return ids;
        after = slice.next;
      }
    };

    const filters: Readonly<Record<string, Partial<RecordFilter>>> = {
      everything: {},
      status: { status: 'ACTIVE' },
      type: { type: 'order' },
      'type and publisher': { type: 'ledger.entry', publisher: 'other' },
      principal: { principalAgentId: AGENTS[1] },
      performer: { performerAgentId: AGENTS[2] },
      parent: { parentRecordId: ROOT },
      'root, itself included': { rootRecordId: ROOT },
      platform: { platform: 'erp' },
      platformRef: { platformRef: 'ref-3' },
      'undisputed ones': { disputed: false },
      'disputed ones': { disputed: true },
      'a half-open range of creation': { createdFrom: at(50), createdTo: at(150) },
      'a half-open range of change': { updatedFrom: at(4_950), updatedTo: at(4_990) },
      'a prefix of platformRef': { q: 'ref-' },
      'a prefix of the id': { q: ROOT.slice(0, 30) },
      'a prefix of the id that ends in a hyphen': { q: ROOT.slice(0, 9) },
      'a prefix that nothing has': { q: 'nothing' },
      'several at once': {
        status: 'RECORDED',
        type: 'ledger.entry',
        platform: 'erp',
        createdFrom: at(10),
      },
    };
    const readers: Readonly<Record<string, RecordFilter['reader']>> = {
      'the platform': null,
      'an org': { orgId: ORGS[1] },
      'an org that only performs': { orgId: ORGS[2] },
      'an agent': { agentId: AGENTS[1] },
      'a stranger': { agentId: uuid() },
    };

    it('ends a page early rather than look through many rows that nobody wants, and its cursor goes on from there', async () => {
      const { records: patient } = database().another({
        pace: {
          step: 5,
          ofPage: 2,
          ofCount: 2,
          patience: { few: 1, sorted: 3, many: 9 },
        },
      }).reads;
      let short = 0;
      for (const [name, filter] of Object.entries(filters)) {
        for (const reader of Object.values(readers)) {
          for (const sort of ['createdAt', '-updatedAt'] as const) {
            const whole: RecordFilter = { ...filter, reader, sort };
            const ids: string[] = [];
            for (let after: Keyset | null = null; ;) {
              const slice = await patient.list(whole, { limit: 7, after });
              ids.push(...slice.rows.map(({ id }) => id));
              if (!slice.next) break;
              if (slice.rows.length < 7) short++;
              after = slice.next;
            }
            const all = expected(records, whole);
            expect({ name, reader, sort, ids }).toEqual({ name, reader, sort, ids: all });
            const { total, totalIsCapped } = await patient.list(whole, { limit: 7, after: null });
            expect(total).toBeLessThanOrEqual(all.length);
            if (!totalIsCapped) expect(total).toBe(all.length);
            expect(await patient.count(whole)).toBe(all.length);
          }
        }
      }
      expect(short).toBeGreaterThan(50);
    });

    for (const [name, filter] of Object.entries(filters)) {
      it(`lists by ${name}, for every reader and sort, each row once and in order`, async () => {
        for (const reader of Object.values(readers)) {
          for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const) {
            const whole: RecordFilter = { ...filter, reader, sort };
            const ids = expected(records, whole);
            expect(await walk(whole, 7)).toEqual(ids);
            expect(await list(whole, { limit: 200, after: null })).toMatchObject({
              total: ids.length,
              totalIsCapped: false,
              next: null,
            });
          }
        }
      });
    }

    it('gives a next place exactly when there is more', async () => {
      const filter: RecordFilter = { reader: null, sort: '-createdAt' };
      expect((await list(filter, { limit: records.length, after: null })).next).toBeNull();
      expect((await list(filter, { limit: records.length - 1, after: null })).next).not.toBeNull();
    });

    it('neither skips nor repeats what was there when others insert meanwhile', async () => {
      const before = new Set(records.map(({ id }) => id));
      const { unitOfWork } = database().adapter;
      const seen: string[] = [];
      let after: Keyset | null = null;
      do {
        const slice = await list({ reader: null, sort: '-createdAt' }, { limit: 9, after });
        seen.push(...slice.rows.map(({ id }) => id));
        after = slice.next;
        await Promise.all(
          [at(-1), at(155), at(10_000)].map((createdAt) =>
            unitOfWork.transaction((stores) => stores.records.insert(sampleRecord({ createdAt }))),
          ),
        );
      } while (after);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => before.has(id))).toHaveLength(before.size);
    });
  });

  describe(`a reader who is both parties on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('sees each of 3,000 records once, in full pages, with an exact total', async () => {
      const [org, agent] = [uuid(), uuid()];
      const own = {
        orgId: org,
        performerOrgId: org,
        principalAgentId: agent,
        performerAgentId: agent,
        criteria: {},
      };
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (let i = 0; i < 3_000; i++)
          await stores.records.insert(sampleRecord({ ...own, createdAt: at(i) }));
        await stores.records.insert(
          sampleRecord({ ...own, orgId: uuid(), principalAgentId: uuid(), createdAt: at(-1) }),
        );
      });
      for (const reader of [{ orgId: org }, { agentId: agent }]) {
        const seen = new Set<string>();
        let after: Keyset | null = null;
        do {
          const slice = await database().adapter.reads.records.list(
            { reader, sort: '-createdAt' },
            { limit: 200, after },
          );
          expect(slice.total).toBe(3_001);
          expect(slice.rows).toHaveLength(Math.min(200, 3_001 - seen.size));
          for (const { id } of slice.rows) seen.add(id);
          after = slice.next;
        } while (after);
        expect(seen.size).toBe(3_001);
      }
    });
  });

  describe(`totals on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('are exact up to 10,000 and capped beyond, where only a count goes on', async () => {
      const org = uuid();
      const insert = async (count: number): Promise<void> => {
        for (let done = 0; done < count; done += 500)
          await database().adapter.unitOfWork.transaction(async (stores) => {
            for (let i = 0; i < Math.min(500, count - done); i++)
              await stores.records.insert(sampleRecord({ orgId: org, criteria: {} }));
          });
      };
      const totals = async (): Promise<[number, boolean]> => {
        const slice = await database().adapter.reads.records.list(
          { reader: { orgId: org }, sort: 'createdAt' },
          { limit: 1, after: null },
        );
        return [slice.total, slice.totalIsCapped];
      };
      await insert(10_000);
      expect(await totals()).toEqual([10_000, false]);
      await insert(1);
      expect(await totals()).toEqual([10_000, true]);
      const { records } = database().adapter.reads;
      expect(await records.count({ reader: { orgId: org }, sort: 'createdAt' })).toBe(10_001);
      expect(await records.count({ reader: { orgId: uuid() }, sort: 'createdAt' })).toBe(0);
    });
  });
};
