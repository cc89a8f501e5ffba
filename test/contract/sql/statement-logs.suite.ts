import { beforeAll, describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/unit-of-work.port.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { statementLog, type LogLeaf } from '../../../domain/transparency/statement-log.port.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { bytes, sampleAgent, sampleOrg, T0 } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/transparency/statement-log.port.ts

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
      ['a hash', { ...leaf(1), index: 9 }],
      ['an entry', { ...leaf(9), entry: { chainKey: `schema:${org.id}`, position: 1 } }],
    ])('refuse %s that is taken', async (_what, taken) => {
      const { unitOfWork } = database().adapter;
      await expect(
        unitOfWork.transaction((stores) => stores.statementLogs.add(log, [taken])),
      ).rejects.toBeInstanceOf(DuplicateError);
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
