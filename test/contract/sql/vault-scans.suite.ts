import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../adapters/sql/base/database.ts';
import { openDatabase } from '../../../adapters/sql/database/open-database.ts';
import { RowMacs } from '../../../adapters/sql/tables/row-macs.ts';
import { SqlScanSnapshot } from '../../../adapters/sql/scan/scan-snapshot.ts';
import type { ScanSnapshot } from '../../../application/vault/scan/scan-snapshot.port.ts';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { sha256Hex } from '../../../domain/kernel/digest.ts';
import { CHECKPOINT_LOG } from '../../../domain/transparency/tree-store.port.ts';
import type { VaultScan } from '../../../application/ports/vault-scan.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { ROW_KEYS } from '../../support/databases/row-keys.ts';
import {
  at,
  bytes,
  entryAfter,
  hex,
  sampleAgent,
  sampleOrg,
  sampleRecord,
  T0,
  uuid,
} from './samples.ts';
import { flat, useDatabase } from './suite.ts';

// Contract of application/ports/vault-scan-store.port.ts
// Contract of application/vault/scan/scan-snapshot.port.ts

const asked = (changes: Partial<VaultScan> = {}): VaultScan => ({
  id: uuid(),
  createdAt: T0,
  attempts: 0,
  progress: null,
  completedAt: null,
  result: null,
  failure: null,
  ...changes,
});

export const vaultScansSuite = (kind: DatabaseKind): void => {
  describe(`scans that were asked for on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('are in flight one at a time, until they are completed', async () => {
      const { unitOfWork, reads } = database().adapter;
      const insert = (scan: VaultScan): Promise<void> =>
        unitOfWork.transaction((stores) => stores.vaultScans.insert(scan));
      const update = (scan: VaultScan): Promise<boolean> =>
        unitOfWork.transaction((stores) => stores.vaultScans.update(scan));
      expect(await reads.vaultScans.inFlight()).toBeNull();
      const first = asked();
      await insert(first);
      expect(await reads.vaultScans.find(first.id)).toEqual(first);
      await expect(insert(asked())).rejects.toThrow(DuplicateError);
      const begun = { ...first, attempts: 1, progress: { entries: 5, chains: 2 } };
      expect(await update(begun)).toBe(true);
      expect(await reads.vaultScans.inFlight()).toEqual(begun);
      const done = { ...begun, completedAt: at(5), failure: 'it was in the way' };
      expect(await update(done)).toBe(true);
      expect(await update(begun)).toBe(false);
      expect(await reads.vaultScans.inFlight()).toBeNull();
      expect(await reads.vaultScans.find(first.id)).toEqual(done);
      expect(await reads.vaultScans.find(uuid())).toBeNull();
      await insert(asked());
    });
  });

  describe(`the rows of one record as a scan reads them on ${kind.name}`, () => {
    const database = useDatabase(kind);
    let opened: Database;
    beforeAll(() => {
      opened = openDatabase({ url: database().url, poolSize: 1 });
    });
    afterAll(() => opened.close());

    it('gives every sealed row once, where more of them than a page are of one record', async () => {
      const record = sampleRecord();
      const peerHubId = uuid();
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.records.insert(record);
        for (let sequence = 1; sequence <= 1_001; sequence++)
          await stores.federation.keep({
            messageId: uuid(),
            recordId: record.id,
            peerHubId,
            sequence,
            route: 'state-transitions',
            statement: bytes(`statement ${sequence}`),
            payloadHash: hex(`payload ${sequence}`),
            entries: [],
            outcome: 'applied',
            attestation: bytes(`attestation ${sequence}`),
            refusal: null,
            receivedAt: T0,
            equivocation: null,
          });
      });
      await database().raw(
        "UPDATE federation_incoming SET outcome = 'refused' WHERE sequence IN (1, 501, 1001)",
      );
      await opened.snapshot(async (reader) => {
        const snapshot = new SqlScanSnapshot(reader, new RowMacs(ROW_KEYS));
        const kept = (await flat(snapshot.sealedRows())).filter(
          ({ table }) => table === 'federation_incoming',
        );
        expect(kept).toHaveLength(1_001);
        expect(new Set(kept.map(({ id }) => id)).size).toBe(1_001);
        expect(
          kept
            .filter(({ holds }) => !holds)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(
          [1, 501, 1_001].map((sequence) => sha256Hex(bytes(`statement ${sequence}`))).toSorted(),
        );
      });
    });
  });

  describe(`the database as a scan reads it on ${kind.name}`, () => {
    const database = useDatabase(kind);
    let opened: Database;
    beforeAll(() => {
      opened = openDatabase({ url: database().url, poolSize: 1 });
    });
    afterAll(() => opened.close());

    const look = <T>(work: (snapshot: ScanSnapshot) => Promise<T>): Promise<T> =>
      opened.snapshot((reader) => work(new SqlScanSnapshot(reader, new RowMacs(ROW_KEYS))));

    it('gives chains, heads and records in one order, over many pages', async () => {
      const records = Array.from({ length: 230 }, () => sampleRecord());
      const chains = records.map(({ id }) => entryAfter(id, null));
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (const record of records) await stores.records.insert(record);
        for (const entry of chains) await stores.chains.begin(entry);
      });
      const ids = records.map(({ id }) => id).sort();
      await look(async (snapshot) => {
        const entries = await flat(snapshot.entries());
        expect(entries.map(({ chainKey }) => chainKey)).toEqual(ids);
        expect(entries.map(({ entry }) => entry)).toEqual(
          chains.toSorted((a, b) => (a.chainKey < b.chainKey ? -1 : 1)),
        );
        expect((await flat(snapshot.heads())).map(({ key }) => key)).toEqual(ids);
        const stored = await flat(snapshot.records());
        expect(stored.map(({ key }) => key)).toEqual(ids);
        const [first] = stored;
        expect(first!.value).toEqual({
          record: records.find(({ id }) => id === first!.key),
          completions: [],
          disputes: [],
          children: [],
          keptManifest: null,
        });
        expect(await flat(snapshot.recordTypes())).toEqual([]);
        expect(await flat(snapshot.logs.checkpoints())).toEqual([]);
        expect(await snapshot.logs.nodes(CHECKPOINT_LOG, [{ level: 0, index: 0 }])).toEqual([null]);
        expect(await snapshot.hub()).toBeNull();
        expect(await snapshot.keys()).not.toEqual([]);
        expect(await snapshot.statements()).not.toBeNull();
      });
    });

    it('stops at no row that cannot be read, and judges each MAC', async () => {
      const org = sampleOrg();
      const agent = sampleAgent(org.id);
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
      });
      await database().raw("UPDATE agents SET name = 'other'");
      await database().raw("UPDATE records SET criteria = '{'");
      await look(async (snapshot) => {
        const stored = await flat(snapshot.records());
        expect(stored).toHaveLength(230);
        expect(stored.every(({ value }) => value === null)).toBe(true);
        expect(await flat(snapshot.sealedRows())).toEqual([
          { table: 'orgs', id: org.id, holds: true, revision: { id: org.id, version: 1 } },
          { table: 'agents', id: agent.id, holds: false, revision: { id: agent.id, version: 1 } },
        ]);
      });
    });
  });
};
