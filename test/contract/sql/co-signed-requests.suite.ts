import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/identity/co-signed-request-store.port.ts

export const coSignedRequestsSuite = (kind: DatabaseKind): void => {
  describe(`bodies of co-signed requests on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const at = (chainKey: string, position: number) =>
      database().adapter.reads.coSignedRequests.at(chainKey, position);
    const countOf = async (table: string): Promise<number> =>
      Number((await database().raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]!['n']);
    const body = new TextEncoder().encode('{"ü":"\u0000"}\r\n');
    let chains: readonly string[];
    beforeAll(() => {
      chains = [uuid(), uuid(), uuid()].sort();
    });

    it('keeps a body once for all the entries of a unit of work, byte for byte', async () => {
      const [one, other] = chains as [string, string];
      const request = { id: uuid(), body };
      const empty = { id: uuid(), body: new Uint8Array(0) };
      await unitOfWork().transaction(async ({ coSignedRequests }) => {
        await coSignedRequests.keep(request, { chainKey: one, position: 1 });
        await coSignedRequests.keep(request, { chainKey: other, position: 7 });
        await coSignedRequests.keep(empty, { chainKey: one, position: 3 });
      });
      expect(await at(one, 1)).toEqual(body);
      expect(await at(one, 2)).toBeNull();
      expect(await at(one, 3)).toEqual(empty.body);
      expect(await at(other, 7)).toEqual(body);
      expect(await countOf('co_signed_requests')).toBe(2);
    });

    it('of an earlier unit of work is only referred to', async () => {
      const last = chains[2]!;
      const request = { id: uuid(), body };
      await unitOfWork().transaction(({ coSignedRequests }) =>
        coSignedRequests.keep(request, { chainKey: last, position: 1 }),
      );
      await unitOfWork().transaction(({ coSignedRequests }) =>
        coSignedRequests.keep(
          { ...request, body: new Uint8Array(9), isKept: true },
          { chainKey: last, position: 2 },
        ),
      );
      expect(await at(last, 1)).toEqual(body);
      expect(await at(last, 2)).toEqual(body);
    });

    it('fails the unit of work where an entry has one, or where the body was never kept', async () => {
      for (const request of [
        { id: uuid(), body },
        { id: uuid(), body, isKept: true as const },
      ])
        await expect(
          unitOfWork().transaction(({ coSignedRequests }) =>
            coSignedRequests.keep(request, {
              chainKey: chains[0]!,
              position: 'isKept' in request ? 99 : 1,
            }),
          ),
        ).rejects.toThrow();
      expect(await at(chains[0]!, 99)).toBeNull();
    });

    it.each(['co_signed_requests', 'co_signed_entries'])(
      '%s: nothing is changed or deleted, by whatever statement',
      async (table) => {
        const before = await countOf(table);
        const column = table === 'co_signed_entries' ? 'position' : 'body';
        for (const sql of [
          `DELETE FROM ${table}`,
          `UPDATE ${table} SET ${column} = ${column}`,
          `REPLACE INTO ${table} SELECT * FROM (SELECT * FROM ${table}) old`,
        ])
          await expect(database().raw(sql), sql).rejects.toThrow(/append-only/);
        expect(await countOf(table)).toBe(before);
      },
    );
  });
};
