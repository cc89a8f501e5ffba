import { describe, expect, it } from 'vitest';
import { DuplicateError, type Stores } from '../../../application/ports/unit-of-work.port.ts';
import type { SqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import { PLATFORM_CHAIN, recordChain, schemaChain } from '../../../domain/vault/chain-key.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, entryAfter, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/vault/chain-store.port.ts

const appendOne =
  (chainKey: string) =>
  async (stores: Stores): Promise<number> => {
    const head = await stores.chains.lockHead(chainKey);
    const entry = entryAfter(chainKey, head);
    await stores.chains.append(entry);
    return entry.position;
  };

export const chainStoreSuite = (kind: DatabaseKind): void => {
  describe(`chain store on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads.chains;

    const expectWhole = async (chainKey: string, length: number): Promise<void> => {
      const entries = await reads().entries(chainKey, 1, length + 10);
      expect(entries.map(({ position }) => position)).toEqual(
        Array.from({ length }, (_, i) => i + 1),
      );
      for (const [i, entry] of entries.entries())
        expect(entry.previousHash).toEqual(i === 0 ? new Uint8Array(32) : entries[i - 1]!.hash);
      expect(await reads().head(chainKey)).toMatchObject({
        position: length,
        hash: entries.at(-1)!.hash,
      });
    };

    it('gives entries back byte for byte, in order, in parts', async () => {
      const chainKey = recordChain(uuid());
      const first = entryAfter(chainKey, null, {
        recordId: chainKey,
        oidcIss: 'https://issuer.example',
        oidcSub: 'sübject',
        at: at(1),
      });
      const second = entryAfter(chainKey, first, {
        entryType: 'RECORD_CANCELLED',
        orgId: null,
        at: at(2),
      });
      await unitOfWork().transaction((stores) => stores.chains.begin(first));
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.chains.lockHead(chainKey)).toEqual({
          chainKey,
          position: 1,
          hash: first.hash,
          at: first.at,
        });
        expect(await stores.chains.headEntry(chainKey)).toEqual(first);
        await stores.chains.append(second);
        expect(await stores.chains.headEntry(chainKey)).toEqual(second);
        expect([
          await stores.chains.entryAt(chainKey, 1),
          await stores.chains.entryAt(chainKey, 2),
          await stores.chains.entryAt(chainKey, 3),
        ]).toEqual([first, second, null]);
      });
      expect(await reads().entries(chainKey, 1, 10)).toEqual([first, second]);
      expect(await reads().entries(chainKey, 2, 10)).toEqual([second]);
      expect(await reads().entries(chainKey, 1, 1)).toEqual([first]);
      expect(await reads().newest(chainKey)).toEqual(second);
      expect(await reads().head(chainKey)).toEqual({
        chainKey,
        position: 2,
        hash: second.hash,
        at: second.at,
      });
    });

    it('knows no head and no entry of a chain that has none, even after somebody locked it', async () => {
      const chainKey = schemaChain(uuid());
      expect(
        await unitOfWork().transaction((stores) => stores.chains.lockHead(chainKey)),
      ).toBeNull();
      expect(await reads().head(chainKey)).toBeNull();
      expect(await reads().newest(chainKey)).toBeNull();
      expect(
        await unitOfWork().transaction((stores) => stores.chains.headEntry(chainKey)),
      ).toBeNull();
      expect(await unitOfWork().transaction(appendOne(chainKey))).toBe(1);
    });

    it('appends 200 times to one chain from many units without a gap or a fork', async () => {
      const chainKey = schemaChain(uuid());
      const positions = await Promise.all(
        Array.from({ length: 200 }, () => unitOfWork().transaction(appendOne(chainKey))),
      );
      expect(new Set(positions).size).toBe(200);
      await expectWhole(chainKey, 200);
    });

    it('appends from two processes to one chain and to many without a gap or a fork', async () => {
      const other: SqlAdapter = database().another();
      const many = Array.from({ length: 5 }, () => schemaChain(uuid()));
      const units = Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? other : database().adapter).unitOfWork.transaction(
          appendOne(i % 4 < 2 ? PLATFORM_CHAIN : many[i % 5]!),
        ),
      );
      await Promise.all(units);
      await expectWhole(PLATFORM_CHAIN, 50);
      const lengths = await Promise.all(
        many.map(async (chainKey) => (await reads().head(chainKey))?.position ?? 0),
      );
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(50);
      for (const [i, chainKey] of many.entries()) await expectWhole(chainKey, lengths[i]!);
    });

    it('lets exactly one of two first appends through that both believe to be the first', async () => {
      const chainKey = recordChain(uuid());
      const begin = () =>
        unitOfWork().transaction((stores) => stores.chains.begin(entryAfter(chainKey, null)));
      const results = await Promise.allSettled([begin(), begin()]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(results.find((result) => result.status === 'rejected')?.reason).toBeInstanceOf(
        DuplicateError,
      );
      await expectWhole(chainKey, 1);
    });

    it('refuses an append that does not follow the head, and a position or a predecessor that is taken', async () => {
      const chainKey = recordChain(uuid());
      const first = entryAfter(chainKey, null);
      await unitOfWork().transaction((stores) => stores.chains.begin(first));
      const ahead = entryAfter(chainKey, { position: 2, hash: first.hash });
      await expect(
        unitOfWork().transaction((stores) => stores.chains.append(ahead)),
      ).rejects.toThrow('not at position');
      const literal = (name: string, position: number): string =>
        `INSERT INTO chain_entries (chain_key, position, entry_type, signing_key_id, previous_hash, hash, cose_sign1, at) ` +
        `SELECT chain_key, ${position}, entry_type, signing_key_id, previous_hash, hash, cose_sign1, at FROM chain_entries WHERE chain_key = '${name}'`;
      await expect(database().raw(literal(chainKey, 1))).rejects.toThrow(/unique|duplicate/i);
      await expect(database().raw(literal(chainKey, 2))).rejects.toThrow(/unique|duplicate/i);
      await expectWhole(chainKey, 1);
    });

    it('says where every chain ends by its entries, whatever the rows of the heads say', async () => {
      const [long, gone, back, zero, bare, locked] = Array.from({ length: 6 }, () =>
        recordChain(uuid()),
      ) as [string, string, string, string, string, string];
      for (const chainKey of [long, gone, back, zero])
        for (let entries = 0; entries < (chainKey === long ? 30 : 2); entries++)
          await unitOfWork().transaction(appendOne(chainKey));
      await unitOfWork().transaction((stores) => stores.chains.lockHead(locked));
      for (const edit of [
        `DELETE FROM chain_heads WHERE chain_key = '${gone}'`,
        `UPDATE chain_heads SET position = 1 WHERE chain_key = '${back}'`,
        `UPDATE chain_heads SET position = 0 WHERE chain_key = '${zero}'`,
        `INSERT INTO chain_heads (chain_key, position, hash, at) SELECT '${bare}', 3, hash, at FROM chain_heads WHERE chain_key = '${long}'`,
      ])
        await database().raw(edit);
      const mine = new Set([long, gone, back, zero, bare, locked]);
      for (const limit of [1, 2, 500]) {
        const seen: (readonly [string, number, number | null])[] = [];
        for (let after = ''; ;) {
          const page = await reads().chainsAfter(after, limit);
          expect(page.length).toBeLessThanOrEqual(limit);
          for (const { chainKey, newest, head } of page)
            seen.push([chainKey, newest, head && head.position]);
          if (page.length === 0) break;
          after = page.at(-1)!.chainKey;
        }
        const keys = seen.map(([chainKey]) => chainKey);
        expect(keys).toEqual([...new Set(keys)].sort());
        expect(
          new Map(
            seen
              .filter(([chainKey]) => mine.has(chainKey))
              .map(([chainKey, ...ends]) => [chainKey, ends]),
          ),
        ).toEqual(
          new Map([
            [long, [30, 30]],
            [gone, [2, null]],
            [back, [2, 1]],
            [zero, [2, 0]],
            [bare, [0, 3]],
          ]),
        );
      }
    });

    it('sums the positions of the heads of a range, which grows with every entry in it', async () => {
      const [before, first, second] = [
        recordChain(uuid()),
        recordChain(uuid()),
        recordChain(uuid()),
      ];
      const extent = () => reads().headsExtent(before, second);
      expect(await extent()).toEqual({ heads: 0, positions: 0 });
      for (const chainKey of [before, first, first, second])
        await unitOfWork().transaction(appendOne(chainKey));
      expect(await extent()).toEqual({ heads: 2, positions: 3 });
      expect(
        await unitOfWork().transaction(async (stores) => {
          await appendOne(second)(stores);
          return stores.chains.headsExtent(before, second);
        }),
      ).toEqual({ heads: 2, positions: 4 });
    });

    it('lets nobody change or delete an entry, by the database itself', async () => {
      const chainKey = recordChain(uuid());
      await unitOfWork().transaction((stores) => stores.chains.begin(entryAfter(chainKey, null)));
      const before = await reads().entries(chainKey, 1, 10);
      const attempts = [
        `UPDATE chain_entries SET at = 0 WHERE chain_key = '${chainKey}'`,
        `DELETE FROM chain_entries WHERE chain_key = '${chainKey}'`,
        `REPLACE INTO chain_entries (chain_key, position, entry_type, signing_key_id, previous_hash, hash, cose_sign1, at)
         SELECT chain_key, position, 'FORGED', signing_key_id, previous_hash, hash, cose_sign1, at FROM (SELECT * FROM chain_entries WHERE chain_key = '${chainKey}') old`,
      ];
      for (const attempt of attempts)
        await expect(database().raw(attempt)).rejects.toThrow('append-only');
      expect(await reads().entries(chainKey, 1, 10)).toEqual(before);
    });
  });
};
