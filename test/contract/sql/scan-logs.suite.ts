import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../adapters/sql/base/database.ts';
import { openDatabase } from '../../../adapters/sql/database/open-database.ts';
import { SqlScanLogSnapshot } from '../../../adapters/sql/scan/scan-log-snapshot.ts';
import type { ScanLogSnapshot } from '../../../application/vault/scan/scan-log-snapshot.port.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { statementLog } from '../../../domain/transparency/statement-log.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import {
  at,
  bytes,
  sampleAgent,
  sampleCheckpoint,
  sampleOrg,
  SIGNING_KEY,
  T0,
  uuid,
} from './samples.ts';
import { flat, useDatabase } from './suite.ts';

// Contract of application/vault/scan/scan-log-snapshot.port.ts

export const scanLogsSuite = (kind: DatabaseKind): void => {
  describe(`the logs as a scan reads them on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const orgs = [sampleOrg(), sampleOrg()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [one, two] = orgs.map(({ id }) => id) as [string, string];
    let opened: Database;
    beforeAll(async () => {
      opened = openDatabase({ url: database().url, poolSize: 1 });
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (const org of orgs) await stores.orgs.insert(org);
      });
    });
    afterAll(() => opened.close());

    const look = <T>(work: (logs: ScanLogSnapshot) => Promise<T>): Promise<T> =>
      opened.snapshot((reader) =>
        work(
          new SqlScanLogSnapshot({
            all: (sql, values) => reader.all(sql, values),
            verifying: (load) => load(),
          }),
        ),
      );

    it('gives reads and their checkpoints in order of org and index, over many pages', async () => {
      const read = (orgId: string, leafIndex: number): OrgRead => ({
        orgId,
        leafIndex,
        signingKeyId: SIGNING_KEY,
        leafHash: bytes(`leaf ${leafIndex}`),
        coseSign1: bytes(`cose ${leafIndex}`),
        createdAt: at(leafIndex),
      });
      const reads = [one, two].flatMap((org) =>
        Array.from({ length: 501 }, (_, index) => read(org, index)),
      );
      const checkpoints = [one, two].flatMap((orgId) =>
        Array.from({ length: 251 }, (_, index) => ({
          id: uuid(),
          orgId,
          treeSize: index + 1,
          rootHash: bytes('root'),
          signingKeyId: SIGNING_KEY,
          createdAt: at(index),
          coseSign1: bytes('cose'),
        })),
      );
      const cosignature = {
        checkpointId: checkpoints[300]!.id,
        witnessKeyId: uuid(),
        signature: bytes('signature'),
        createdAt: T0,
      };
      await database().adapter.unitOfWork.transaction(async ({ orgReads }) => {
        for (const row of reads) await orgReads.insert(row);
        for (const row of checkpoints) await orgReads.insertCheckpoint(row);
        await orgReads.insertCosignature(cosignature);
      });
      await look(async (logs) => {
        expect(await flat(logs.orgReads())).toEqual(reads);
        expect(await flat(logs.orgReadsCheckpoints())).toEqual(
          checkpoints.map((row) => ({
            ...row,
            cosignature: row.id === cosignature.checkpointId ? cosignature : null,
          })),
        );
      });
    });

    it('gives the leaves of logs by their index and by their entries, each with its statement', async () => {
      const agent = sampleAgent(one);
      const coseSign1 = bytes('statement');
      const statement = {
        orgId: one,
        hash: leafHash(coseSign1),
        identity: bytes('identity'),
        agentId: agent.id,
        coseSign1,
        registeredAt: T0,
      };
      const ofEntry = (index: number, chainKey: string, position: number) => ({
        index,
        hash: bytes(`${chainKey} ${position}`),
        entry: { chainKey, position },
      });
      const leaves = Array.from({ length: 1_002 }, (_, index) =>
        ofEntry(index, index % 2 === 0 ? 'b' : 'a', index + 1),
      );
      const registered = { index: 1_002, hash: statement.hash, entry: null };
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.agents.insert(agent);
        await stores.statementLogs.register(statement);
        await stores.statementLogs.add(statementLog(one), [...leaves, registered]);
        await stores.statementLogs.add(statementLog(two), [{ ...registered, index: 0 }]);
      });
      await look(async (logs) => {
        const stored = await flat(logs.leaves());
        expect(stored.map(({ leaf }) => leaf)).toEqual([
          ...leaves,
          registered,
          { ...registered, index: 0 },
        ]);
        expect(stored.slice(-2)).toEqual([
          { log: statementLog(one), leaf: registered, statement },
          { log: statementLog(two), leaf: { ...registered, index: 0 }, statement: null },
        ]);
        expect((await flat(logs.entryLeaves())).map(({ leaf }) => leaf)).toEqual(
          leaves.toSorted(
            (a, b) =>
              a.entry.chainKey.localeCompare(b.entry.chainKey) ||
              a.entry.position - b.entry.position,
          ),
        );
        expect(await logs.signingKeys(agent.id)).toEqual([]);
      });
    });

    it('gives checkpoints, nodes, time stamps and what stands beside them', async () => {
      const checkpoints = Array.from({ length: 501 }, (_, index) =>
        sampleCheckpoint(index % 2 === 0 ? one : two, index),
      );
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (const row of checkpoints) await stores.checkpoints.insert(row);
        await stores.timestamps.insert(3, bytes('token'));
        await stores.trees.add('a', [{ level: 1, index: 2, hash: bytes('node') }]);
        await stores.rewinds.add({
          chainKey: two,
          finding: 'rewound',
          localPosition: 1,
          localHash: null,
          anchoredPosition: 2,
          anchoredHash: bytes('anchored'),
          checkpointHash: bytes('checkpoint'),
          isKeyLost: false,
          detectedAt: T0,
          acknowledgedAt: T0,
        });
      });
      const anchored = `INSERT INTO anchored_checkpoints (log_index, chain_key, position, object_key, anchored_at)`;
      await database().raw(`${anchored} VALUES (0, '${one}', 1, 'a', 1)`);
      await database().raw(`${anchored} VALUES (1, '${one}', 2, 'b', 1)`);
      await database().raw(`${anchored} VALUES (2, '${one}', 9, 'c', 1)`);
      await database().raw(`${anchored} VALUES (999, '${one}', 1, 'd', 1)`);
      const shown = checkpoints.map(({ logIndex, chainKey, position, coseSign1 }) => ({
        logIndex,
        chainKey,
        position,
        coseSign1,
      }));
      await look(async (logs) => {
        expect(await flat(logs.checkpoints())).toEqual(shown);
        expect(await flat(logs.checkpointsOf(two))).toEqual(
          shown.filter(({ chainKey }) => chainKey === two),
        );
        const ids = [
          { level: 1, index: 2 },
          { level: 1, index: 3 },
        ];
        expect(await logs.nodes('a', ids)).toEqual([bytes('node'), null]);
        expect(await logs.nodes('b', ids)).toEqual([null, null]);
        expect(await flat(logs.timestamps())).toEqual([
          { logIndex: 3, token: bytes('token'), checkpoint: shown[3] },
        ]);
        expect(await logs.strayAnchors()).toEqual([1, 2, 999]);
        expect(await logs.acknowledgedRewinds()).toEqual([
          { chainKey: two, checkpointHash: bytes('checkpoint') },
        ]);
      });
    });
  });
};
