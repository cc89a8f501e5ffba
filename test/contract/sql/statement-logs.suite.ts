import { beforeAll, describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { sha256, toHex } from '../../../domain/kernel/digest.ts';
import { statementLog, type LogLeaf } from '../../../domain/transparency/statement-log.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { bytes, entryAfter, sampleAgent, sampleOrg, sampleRecord, T0, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/transparency/statement-log.port.ts

const hex = (value: Uint8Array): string => `x'${toHex(value)}'`;

export const statementLogsSuite = (kind: DatabaseKind): void => {
  describe(`the logs of orgs on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const org = sampleOrg();
    const agent = sampleAgent(org.id);
    const log = statementLog(org.id);
    const leaf = (index: number, entry: LogLeaf['entry'] = null): LogLeaf => ({
      index,
      hash: sha256(bytes(`leaf ${index}`)),
      entry,
    });

    beforeAll(async () => {
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
        await stores.statementLogs.add(log, [
          leaf(0),
          leaf(1, { chainKey: `schema:${org.id}`, position: 1 }),
        ]);
      });
    });

    it('give their leaves by hash and by index, and their size', async () => {
      const { statementLogs } = database().adapter.reads;
      expect(await statementLogs.leaf(log, leaf(1).hash)).toEqual(
        leaf(1, { chainKey: `schema:${org.id}`, position: 1 }),
      );
      expect(await statementLogs.leaf(log, leaf(7).hash)).toBeNull();
      expect(await statementLogs.leaves(log, 0, 1)).toEqual([leaf(0)]);
      expect(await statementLogs.leaves(log, 2, 10)).toEqual([]);
      expect(await statementLogs.next('')).toEqual({ log, size: 2 });
      expect(await statementLogs.next(log)).toBeNull();
    });

    it.each([
      ['an index', { ...leaf(1), hash: sha256(bytes('another')) }],
      ['the hash of a statement', { ...leaf(0), index: 9 }],
      ['an entry', { ...leaf(9), entry: { chainKey: `schema:${org.id}`, position: 1 } }],
    ])('refuse %s that is taken', async (_what, taken) => {
      const { unitOfWork } = database().adapter;
      await expect(
        unitOfWork.transaction((stores) => stores.statementLogs.add(log, [taken])),
      ).rejects.toBeInstanceOf(DuplicateError);
    });

    it('say which of some entries are leaves, and give those of a chain', async () => {
      const { statementLogs } = database().adapter.reads;
      const place = { chainKey: `schema:${org.id}`, position: 1 };
      const there = leaf(1, place);
      const others = [leaf(7, { ...place, position: 2 }), leaf(8, { ...place, chainKey: uuid() })];
      const asked = [others[0]!, there, others[1]!];
      expect(await statementLogs.logged(log, asked)).toEqual([false, true, false]);
      expect(await statementLogs.logged('scitt:other', [there])).toEqual([false]);
      expect(await statementLogs.logged(log, [{ ...there, hash: others[0]!.hash }])).toEqual([
        false,
      ]);
      expect(await statementLogs.logged(log, [])).toEqual([]);
      const { chainKey } = place;
      expect(await statementLogs.leavesOfChain(log, chainKey, 1, 9)).toEqual([leaf(1, place)]);
      expect(await statementLogs.leavesOfChain(log, chainKey, 2, 9)).toEqual([]);
      expect(await statementLogs.leavesOfChain('scitt:other', chainKey, 1, 9)).toEqual([]);
    });

    it('find a leaf by its hash in a long log, and in no other one', async () => {
      const { unitOfWork, reads } = database().adapter;
      const [long, empty] = [statementLog(uuid()), statementLog(uuid())];
      const indexes = [0, 4_095, 4_096, 9_000, 12_287];
      const at = (index: number): LogLeaf => ({ ...leaf(index), hash: sha256(bytes(`l${index}`)) });
      await unitOfWork.transaction((stores) => stores.statementLogs.add(long, indexes.map(at)));
      for (const index of indexes)
        expect(await reads.statementLogs.leaf(long, at(index).hash)).toEqual(at(index));
      expect(await reads.statementLogs.leaf(long, at(1).hash)).toBeNull();
      expect(await reads.statementLogs.leaf(empty, at(0).hash)).toBeNull();
    });

    it('find it in no time where somebody wrote an index far away, or none', async () => {
      const [log, first, last] = [statementLog(uuid()), leaf(0), leaf(5_000)];
      const { unitOfWork, reads } = database().adapter;
      await unitOfWork.transaction((stores) => stores.statementLogs.add(log, [first, last]));
      const edits = [
        -5,
        Number.MAX_SAFE_INTEGER,
        ...(kind.name === 'sqlite' ? ["'zz'", 1e300] : []),
      ];
      for (const [at, edit] of edits.entries())
        await database().raw(
          `INSERT INTO scitt_leaves (log_key, leaf_index, hash) VALUES ('${log}', ${edit}, ${hex(sha256(bytes(`edit ${at}`)))})`,
        );
      const begun = performance.now();
      expect(await reads.statementLogs.leaf(log, first.hash)).toEqual(first);
      expect(await reads.statementLogs.leaf(log, last.hash)).toEqual(last);
      expect(await reads.statementLogs.leaf(log, leaf(3).hash)).toBeNull();
      // A search from the far index would take days.
      expect(performance.now() - begun).toBeLessThan(20_000);
    });

    it('find the records that changed since, in pages, and the schema chains that grew', async () => {
      const { unitOfWork, reads } = database().adapter;
      const changed = ['2031-01-01T00:00:00.001Z', '2031-01-01T00:00:00.002Z'].flatMap((at) => [
        sampleRecord({ updatedAt: at }),
        sampleRecord({ updatedAt: at }),
      ]);
      const schema = `schema:${uuid()}`;
      await unitOfWork.transaction(async (stores) => {
        for (const record of changed) await stores.records.insert(record);
        await stores.chains.lockHead(schema);
        await stores.chains.append(entryAfter(schema, null, { at: '2031-01-01T00:00:00.005Z' }));
      });
      const expected = changed
        .map(({ id, updatedAt }) => ({ chainKey: id, changedAt: updatedAt }))
        .toSorted((a, b) => (a.changedAt + a.chainKey < b.changedAt + b.chainKey ? -1 : 1));
      const start = { chainKey: '', changedAt: '2031-01-01T00:00:00.001Z' };
      const first = await reads.statementLogs.changedRecords(start, 3);
      expect(first).toEqual(expected.slice(0, 3));
      expect(await reads.statementLogs.changedRecords(first[2]!, 3)).toEqual(expected.slice(3));
      expect(await reads.statementLogs.schemaChains('2031-01-01T00:00:00.005Z')).toEqual([schema]);
      expect(await reads.statementLogs.schemaChains('2031-01-01T00:00:00.006Z')).toEqual([]);
    });

    it('say what of a chain stands in no log', async () => {
      const { unitOfWork, reads } = database().adapter;
      const [chain, whole] = [uuid(), uuid()];
      const first = entryAfter(chain, null, { recordId: chain });
      const only = entryAfter(whole, null, { recordId: whole });
      await unitOfWork.transaction(async (stores) => {
        await stores.chains.begin(first);
        await stores.chains.begin(only);
      });
      const second = entryAfter(chain, first);
      await unitOfWork.transaction(async (stores) => {
        await stores.chains.lockHead(chain);
        await stores.chains.append(second);
      });
      const { statementLogs } = reads;
      const unlogged = async (...chainKeys: readonly string[]) =>
        (await statementLogs.unlogged(chainKeys)).map(({ hash, ...chain }) => ({
          ...chain,
          hash: toHex(hash),
        }));
      const hash = toHex(second.hash);
      expect(await unlogged(chain, uuid())).toEqual([{ chainKey: chain, from: 1, to: 2, hash }]);
      await unitOfWork.transaction((stores) =>
        stores.statementLogs.add(log, [
          leaf(2, { chainKey: chain, position: 1 }),
          leaf(3, { chainKey: whole, position: 1 }),
        ]),
      );
      expect(await unlogged(chain, whole)).toEqual([{ chainKey: chain, from: 2, to: 2, hash }]);
      expect(await unlogged()).toEqual([]);
    });

    it('hold a statement once, by what makes it the same', async () => {
      const { unitOfWork, reads } = database().adapter;
      const statement = {
        orgId: org.id,
        hash: leaf(0).hash,
        identity: sha256(bytes('identity')),
        agentId: agent.id,
        coseSign1: bytes('a statement'),
        registeredAt: T0,
      };
      const register = (row: typeof statement) =>
        unitOfWork.transaction((stores) => stores.statementLogs.register(row));
      await register(statement);
      expect(await reads.statementLogs.statement(org.id, statement.hash)).toEqual(statement);
      expect(await reads.statementLogs.statementBy(org.id, statement.identity)).toEqual(statement);
      expect(await reads.statementLogs.statementBy(org.id, statement.hash)).toBeNull();
      await expect(
        register({ ...statement, hash: sha256(bytes('other bytes')) }),
      ).rejects.toBeInstanceOf(DuplicateError);
      for (const table of ['scitt_leaves', 'scitt_statements'])
        await expect(database().raw(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
    });
  });
};
