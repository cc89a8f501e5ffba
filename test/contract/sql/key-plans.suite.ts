import knex from 'knex';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  agentListing,
  apiKeyListing,
  SqlApiKeyReads,
} from '../../../adapters/sql/identity/identity-reads.ts';
import { Lister, type Listing } from '../../../adapters/sql/listing/keyset.ts';
import { selectedKeys } from '../../../adapters/sql/vault/key-selection.ts';
import type { ApiKeyFilter } from '../../../domain/identity/identity-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, sampleAgent, sampleApiKey, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';
import { trustingReader } from '../../support/databases/row-keys.ts';

const KEYS = 3_000;
const ORG = uuid();

/** Each filter of the list, alone, and whether its index has the order of the list too. */
const FILTERS: Readonly<
  Record<string, { readonly filter: ApiKeyFilter; readonly isOrdered: boolean }>
> = {
  ownerId: { filter: { ownerId: uuid() }, isOrdered: true },
  isActive: { filter: { isActive: false }, isOrdered: true },
  role: { filter: { role: 'admin' }, isOrdered: true },
  createdBefore: { filter: { createdBefore: at(500) }, isOrdered: true },
  lastUsedBefore: { filter: { lastUsedBefore: at(10) }, isOrdered: false },
  neverUsed: { filter: { neverUsed: true, createdBefore: at(500) }, isOrdered: true },
  neverExpires: { filter: { neverExpires: true }, isOrdered: true },
  'keys that expire': { filter: { neverExpires: false }, isOrdered: false },
};

export const keyPlansSuite = (kind: DatabaseKind): void => {
  describe(`plans of keys and agents on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const isMysql = kind.name === 'mysql';
    const lister = new Lister(
      knex({ client: isMysql ? 'mysql2' : 'better-sqlite3', useNullAsDefault: true }),
      trustingReader(() => Promise.resolve([])),
    );

    /** The odd ones are rare, as they are where a list is asked for them: most keys are active, used, for ever and of agents. */
    beforeAll(async () => {
      const org = sampleOrg({ id: ORG });
      for (let done = 0; done < KEYS; done += 500)
        await database().adapter.unitOfWork.transaction(async (stores) => {
          if (done === 0) await stores.orgs.insert(org);
          for (let n = done; n < done + 500; n++) {
            const isOdd = n % 500 === 0;
            const agent = sampleAgent(ORG, {
              createdAt: at(n),
              name: isOdd ? 'odd' : `agent ${n}`,
              deactivatedAt: isOdd ? at(n) : null,
            });
            await stores.agents.insert(agent);
            await stores.apiKeys.insert(
              sampleApiKey({
                ownerId: agent.id,
                orgId: n % 3 === 0 ? uuid() : ORG,
                createdAt: at(n),
                isActive: !isOdd,
                role: isOdd ? 'admin' : 'agent',
                lastUsedAt: isOdd ? null : at(n + 1),
                expiresAt: isOdd ? null : at(99_999),
              }),
            );
          }
        });
      if (isMysql) await database().raw('ANALYZE TABLE api_keys, agents');
    });

    const explain = (sql: string) =>
      database().raw(`EXPLAIN ${isMysql ? '' : 'QUERY PLAN '}${sql}`);
    const expectIndexed = async <Row, T>(
      listing: Listing<Row, T>,
      isOrdered: boolean,
    ): Promise<void> => {
      const walk = listing.walks[0]!;
      const page = lister
        .pageQuery(listing, walk, { limit: 50, after: { key: at(2_500), id: uuid() } })
        .toString();
      for (const sql of [page, lister.countQuery(listing, walk).toString()])
        expect({
          sql,
          scans: (await explain(sql)).filter((step) => isScan(step, listing.table)),
        }).toMatchObject({ scans: [] });
      if (isOrdered)
        expect({ page, plan: JSON.stringify(await explain(page)) }).toEqual({
          page,
          plan: expect.not.stringMatching(/filesort|TEMP B-TREE/),
        });
    };

    it.each(Object.entries(FILTERS))(
      'the key list walks an index for %s, in one org and in all',
      async (_name, { filter, isOrdered }) => {
        await expectIndexed(apiKeyListing(filter), isOrdered);
        await expectIndexed(apiKeyListing({ ...filter, orgId: ORG }), isOrdered);
      },
    );

    it('the agent list walks an index for the org, the name and the deactivated', async () => {
      for (const filter of [
        { orgId: ORG },
        { name: 'odd' },
        { orgId: ORG, name: 'odd' },
        { orgId: ORG, deactivated: false },
        { deactivated: false },
      ])
        await expectIndexed(agentListing(filter), true);
      for (const filter of [{ orgId: ORG, deactivated: true }, { deactivated: true }])
        await expectIndexed(agentListing(filter), false);
    });

    it('a sweep selects by an index', async () => {
      for (const { filter } of Object.values(FILTERS)) {
        let next = 0;
        const { sql, values } = selectedKeys({
          ...filter,
          orgId: ORG,
          isActive: true,
          unmanaged: true,
          exceptId: uuid(),
        });
        const text = `SELECT id FROM api_keys WHERE ${sql.replaceAll('?', () => literal(values, next++))} LIMIT 100`;
        expect({
          text,
          scans: (await explain(text)).filter((step) => isScan(step, 'api_keys')),
        }).toMatchObject({ scans: [] });
      }
    });

    it('a credential is one read, by the unique hash, with its owner by its id', async () => {
      const statements: string[] = [];
      const reads = new SqlApiKeyReads(
        trustingReader((sql) => (statements.push(sql), Promise.resolve([]))),
        lister,
      );
      await reads.findCredential([bytes('one'), bytes('two')]);
      expect(statements).toHaveLength(1);
      for (const hashes of [["X'00'"], ["X'00'", "X'01'"]]) {
        const plan = await explain(
          statements[0]!.replace(/IN \(.*\)/, `IN (${hashes.join(', ')})`),
        );
        expect(JSON.stringify(plan)).not.toMatch(/SCAN|"type":"(?:ALL|index)"/);
      }
    });
  });
};

const literal = (values: readonly unknown[], at: number): string => {
  const value = values[at];
  return value instanceof Uint8Array
    ? `X'${Buffer.from(value).toString('hex')}'`
    : typeof value === 'number'
      ? String(value)
      : `'${String(value)}'`;
};

const isScan = (step: Record<string, unknown>, table: string): boolean =>
  'detail' in step
    ? new RegExp(`^SCAN ${table}`).test(String(step['detail']))
    : step['table'] === table && (step['type'] === 'ALL' || step['type'] === 'index');
