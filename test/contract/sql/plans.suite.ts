import knex, { type Knex } from 'knex';
import { beforeAll, describe, expect, it } from 'vitest';
import { MYSQL } from '../../../adapters/sql/mysql/mysql.ts';
import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';
import { Lister } from '../../../adapters/sql/listing/keyset.ts';
import { ListingQueries } from '../../../adapters/sql/listing/listing-queries.ts';
import { recordListing } from '../../../adapters/sql/records/record-listing.ts';
import type { Keyset } from '../../../domain/kernel/page.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';
import { trustingReader } from '../../support/databases/row-keys.ts';

const ID = uuid();
const DIALECTS = { sqlite: SQLITE, mysql: MYSQL };

/** Every way to ask that has to be cheap on a table of millions. */
const ASKED: Readonly<Record<string, Partial<RecordFilter>>> = {
  'no filter': {},
  'the org of the reader': { reader: { orgId: ID } },
  'the agent of the reader': { reader: { agentId: ID } },
  principal: { principalAgentId: ID },
  performer: { performerAgentId: ID },
  status: { status: 'FULFILLED' },
  'an open status': { status: 'ACTIVE' },
  'what expired, written or not': { status: 'EXPIRED' },
  'what expired in the org of the reader': { reader: { orgId: ID }, status: 'EXPIRED' },
  'what expired of a performer': { performerAgentId: ID, status: 'EXPIRED' },
  type: { type: 'order' },
  publisher: { publisher: 'acme' },
  platform: { platform: 'erp' },
  'disputed ones': { disputed: true },
  parent: { parentRecordId: ID },
  root: { rootRecordId: ID },
  platformRef: { platformRef: 'ref-1' },
  'q, a prefix of platformRef': { q: 'ref-1' },
  'q, a prefix of the id': { q: ID.slice(0, 14) },
  'a range of creation': { createdFrom: at(1), createdTo: at(50) },
  'an org and a range of change': { reader: { orgId: ID }, updatedFrom: at(1), updatedTo: at(50) },
};

const PASSED = at(1);

/** Filters that only one sort can serve without sorting; under the others the matching rows are sorted, never the table. */
const SORTS = ['-createdAt', '-updatedAt'] as const;

export const plansSuite = (kind: DatabaseKind): void => {
  describe(`plans of the record listing on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const builder = knex({
      client: kind.name === 'mysql' ? 'mysql2' : 'better-sqlite3',
      useNullAsDefault: true,
    });
    const lister = new Lister(
      builder,
      trustingReader(() => Promise.resolve([])),
    );

    beforeAll(async () => {
      for (let i = 0; i < 4; i++)
        await database().adapter.unitOfWork.transaction(async (stores) => {
          for (let n = 0; n < 500; n++)
            await stores.records.insert(
              sampleRecord({
                criteria: {},
                createdAt: at(i * 500 + n),
                updatedAt: at(5_000 - i * 500 - n),
                performerOrgId: uuid(),
                performerAgentId: uuid(),
                platformRef: `ref-${n}`,
                ...(n % 50 === 7
                  ? {
                      status: 'ACTIVE',
                      terminalAt: null,
                      expiresAt: n % 100 === 7 ? PASSED : '2999-01-01T00:00:00.000Z',
                    }
                  : { status: n % 100 ? 'RECORDED' : 'FULFILLED' }),
                schema: { ...sampleRecord().schema, type: n % 100 ? 'ledger.entry' : 'order' },
              }),
            );
        });
      await database().raw(kind.name === 'mysql' ? 'ANALYZE TABLE records' : 'SELECT 1');
    });

    for (const [name, filter] of Object.entries(ASKED)) {
      it(`use an index for ${name}: no page and no count reads the whole table`, async () => {
        for (const sort of SORTS) {
          const listing = recordListing({ reader: null, sort, ...filter }, DIALECTS[kind.name]);
          for (const walk of listing.walks) {
            for (const query of [
              lister.pageQuery(listing, walk, { limit: 50, after: { key: at(1_000), id: ID } }),
              lister.countQuery(listing, walk),
            ]) {
              const plan = await database().raw(
                `EXPLAIN ${kind.name === 'mysql' ? 'FORMAT=TRADITIONAL ' : 'QUERY PLAN '}${query.toString()}`,
              );
              expect({
                sort,
                sql: query.toString(),
                scans: plan.filter((step) => isScan(step, name === 'no filter')),
              }).toMatchObject({ scans: [] });
            }
          }
        }
      });
    }

    it('look through many rows in stretches of an index that has the order: nothing is sorted, and the end of a step is the index alone', async () => {
      const queries = new ListingQueries(builder);
      const place = (n: number): Keyset => ({ key: at(n), id: ID });
      let steps = 0;
      for (const more of [
        { platform: 'api' },
        { disputed: false },
        { publisher: 'acme', type: 'order' },
        { platform: 'erp', status: 'FULFILLED' },
        { reader: { orgId: ID }, type: 'order' },
        { reader: { agentId: ID }, publisher: 'acme', createdFrom: at(0) },
      ] satisfies Partial<RecordFilter>[]) {
        for (const sort of SORTS) {
          const listing = recordListing({ reader: null, sort, ...more }, DIALECTS[kind.name]);
          for (const walk of listing.walks) {
            for (const part of [...(walk.by ?? []), ...(walk.otherwise ? [walk.otherwise] : [])]) {
              if (!part.isOrdered) continue;
              const among = { ...walk, hint: part.hint, among: part.rows };
              const after = sort === '-createdAt' ? place(900) : place(4_900);
              const until = sort === '-createdAt' ? place(800) : place(4_800);
              const explained = (query: Knex.QueryBuilder) =>
                database().raw(
                  `EXPLAIN ${kind.name === 'mysql' ? 'FORMAT=TRADITIONAL ' : 'QUERY PLAN '}${query.toString()}`,
                );
              const page = await explained(
                queries.page(listing, among, { limit: 50, after }, until),
              );
              const end = await explained(queries.stepEnd(listing, among, after, 100));
              expect(JSON.stringify([page, end])).not.toMatch(/filesort|TEMP B-TREE/);
              expect(page.filter((step) => isScan(step, false))).toEqual([]);
              expect(JSON.stringify(end)).toMatch(/COVERING INDEX|Using index/);
              steps++;
            }
          }
        }
      }
      expect(steps).toBeGreaterThan(10);
    });

    it('read nothing but the index of what is due for what expired and is not written', async () => {
      for (const reader of [null, { orgId: ID }, { agentId: ID }]) {
        const listing = recordListing(
          { reader, sort: '-createdAt', status: 'EXPIRED' },
          DIALECTS[kind.name],
        );
        const due = listing.walks.filter(({ hint }) => hint !== undefined);
        expect(due).toHaveLength(reader === null ? 1 : 2);
        for (const walk of due) {
          const [step] = await database().raw(
            `EXPLAIN ${kind.name === 'mysql' ? 'FORMAT=TRADITIONAL ' : 'QUERY PLAN '}${lister.pageQuery(listing, walk, { limit: 50, after: null }).toString()}`,
          );
          expect(JSON.stringify(step)).toMatch(
            kind.name === 'mysql'
              ? /"type":"range".*"key":"records_by_terminal_at_expires_at"/
              : /SEARCH records USING INDEX records_by_terminal_at_expires_at \(terminal_at=\? AND expires_at/,
          );
        }
      }
    });

    it('sort nothing where the reader is a party: the index has the order', async () => {
      for (const reader of [null, { orgId: ID }, { agentId: ID }]) {
        for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const) {
          const listing = recordListing({ reader, sort }, DIALECTS[kind.name]);
          for (const walk of listing.walks) {
            const query = lister.pageQuery(listing, walk, {
              limit: 50,
              after: { key: at(1_000), id: ID },
            });
            const plan = await database().raw(
              `EXPLAIN ${kind.name === 'mysql' ? 'FORMAT=TRADITIONAL ' : 'QUERY PLAN '}${query.toString()}`,
            );
            expect(JSON.stringify(plan)).not.toMatch(/filesort|TEMP B-TREE/);
          }
        }
      }
    });
  });
};

/** SQLite: SCAN instead of SEARCH. MySQL: access type ALL, or index, on the table itself, not on what a subquery gave. Without a filter a walk along an index is what is wanted. */
const isScan = (step: Record<string, unknown>, walkIsFine: boolean): boolean => {
  if ('detail' in step)
    return (
      /^SCAN records/.test(String(step['detail'])) &&
      !(walkIsFine && / USING /.test(String(step['detail'])))
    );
  return (
    step['table'] === 'records' &&
    (step['type'] === 'ALL' || (step['type'] === 'index' && !walkIsFine))
  );
};
