import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, hex, sampleRecord, sampleRecordType, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/record-type/record-type-store.port.ts

export const recordTypeStoreSuite = (kind: DatabaseKind): void => {
  describe(`record type store on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads.recordTypes;

    it('locks a publisher label, a new one too, for one unit of work at a time, across processes', async () => {
      const other = database().another();
      const label = `label-${uuid()}`;
      let [holders, most, done] = [0, 0, 0];
      const hold = (adapter: typeof other) =>
        adapter.unitOfWork.transaction(async (stores) => {
          await stores.recordTypes.lockPublisher(label);
          most = Math.max(most, ++holders);
          try {
            await stores.recordTypes.held(label, 'any');
          } finally {
            holders--;
          }
          done++;
        });
      await Promise.all(
        Array.from({ length: 12 }, (_, i) => hold(i % 2 ? other : database().adapter)),
      );
      expect([most, done]).toEqual([1, 12]);
    });

    it('keeps manifests as they are, one row for an org, type, publisher and version', async () => {
      const orgId = uuid();
      const first = sampleRecordType({ orgId });
      const second = sampleRecordType({
        orgId,
        version: 2,
        status: 'disabled',
        registeredBy: uuid(),
        registeredAt: at(5),
      });
      const imported = sampleRecordType({ orgId, publisher: 'other' });
      await unitOfWork().transaction(async (stores) => {
        for (const type of [first, second, imported]) await stores.recordTypes.insert(type);
        expect(await stores.recordTypes.versions(orgId, first.type, 'acme')).toEqual([
          second,
          first,
        ]);
        expect(await stores.recordTypes.versions(uuid(), first.type, 'acme')).toEqual([]);
      });
      expect(await reads().find(orgId, first.type)).toEqual([second, first, imported]);
      expect(await reads().find(orgId, 'unknown')).toEqual([]);
      await expect(
        unitOfWork().transaction((stores) =>
          stores.recordTypes.insert(sampleRecordType({ orgId })),
        ),
      ).rejects.toBeInstanceOf(DuplicateError);
    });

    it('changes the status of one version or of all and says how many it found', async () => {
      const orgId = uuid();
      const types = [1, 2, 3].map((version) => sampleRecordType({ orgId, version }));
      const key = { orgId, type: 'ledger.entry', publisher: 'acme' };
      await unitOfWork().transaction(async (stores) => {
        for (const type of types) await stores.recordTypes.insert(type);
        expect(await stores.recordTypes.setStatus({ ...key, version: 2 }, 'disabled')).toBe(1);
        expect(await stores.recordTypes.setStatus({ ...key, version: 2 }, 'disabled')).toBe(1);
        expect(await stores.recordTypes.setStatus({ ...key, version: null }, 'disabled')).toBe(3);
        expect(await stores.recordTypes.setStatus({ ...key, version: 9 }, 'active')).toBe(0);
      });
      expect((await reads().find(orgId, 'ledger.entry')).map(({ status }) => status)).toEqual([
        'disabled',
        'disabled',
        'disabled',
      ]);
      expect(await reads().activeNames(orgId)).toEqual([]);
    });

    it('takes one row away, as the unit of work and everybody after it see', async () => {
      const orgId = uuid();
      const [first, second] = [1, 2].map((version) => sampleRecordType({ orgId, version })) as [
        RecordType,
        RecordType,
      ];
      await unitOfWork().transaction(async (stores) => {
        for (const type of [first, second]) await stores.recordTypes.insert(type);
      });
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.recordTypes.ofName(orgId, first.type)).toEqual([second, first]);
        expect(await stores.recordTypes.remove(second.id)).toBe(1);
        expect(await stores.recordTypes.remove(second.id)).toBe(0);
        expect(await stores.recordTypes.ofName(orgId, first.type)).toEqual([first]);
      });
      expect(await reads().find(orgId, first.type)).toEqual([first]);
    });

    it('knows what the whole hub holds of a type, each version once', async () => {
      const publisher = `publisher-${uuid()}`;
      const owned = [1, 2].map((version) =>
        sampleRecordType({ publisher, version, manifestDigest: hex(`${publisher} ${version}`) }),
      );
      const held = sampleRecordType({
        publisher,
        version: 2,
        manifestDigest: owned[1]!.manifestDigest,
      });
      await unitOfWork().transaction(async (stores) => {
        for (const type of [...owned, held, sampleRecordType({ publisher, type: 'other' })])
          await stores.recordTypes.insert(type);
        const versions = [...(await stores.recordTypes.held(publisher, held.type))].sort(
          (a, b) => a.version - b.version,
        );
        expect(versions).toEqual(
          owned.map(({ version, manifestDigest }) => ({ version, manifestDigest })),
        );
        expect(await stores.recordTypes.held('nobody', held.type)).toEqual([]);
      });
      expect(await reads().published(publisher, held.type, 1)).toEqual(owned[0]);
      expect((await reads().published(publisher, held.type, 2))?.manifest).toEqual(held.manifest);
      expect(await reads().published(publisher, held.type, 3)).toBeNull();
    });

    it('counts the records that pin one row, and no others', async () => {
      const { schema, ...record } = sampleRecord();
      const pin = (changes: Partial<typeof schema>) =>
        sampleRecord({ ...record, id: uuid(), schema: { ...schema, ...changes } });
      await unitOfWork().transaction(async (stores) => {
        for (const one of [
          pin({}),
          pin({}),
          pin({ version: 2 }),
          pin({ publisher: 'other' }),
          pin({ type: 'other' }),
          pin({ orgId: uuid() }),
        ])
          await stores.records.insert(one);
      });
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.recordTypes.countRecords(schema)).toBe(2);
        expect(await stores.recordTypes.countRecords({ ...schema, version: 2 })).toBe(1);
        expect(await stores.recordTypes.countRecords({ ...schema, version: 3 })).toBe(0);
      });
    });

    it('lists newest registration first by every member of the filter, and names what is active', async () => {
      const orgId = uuid();
      const a = sampleRecordType({ orgId, type: 'b.type', registeredAt: at(1) });
      const b = sampleRecordType({
        orgId,
        type: 'a.type',
        registeredAt: at(2),
        publisher: 'other',
      });
      const c = sampleRecordType({
        orgId,
        type: 'a.type',
        registeredAt: at(3),
        version: 2,
        status: 'disabled',
      });
      const d = sampleRecordType({
        orgId,
        type: 'c.type',
        registeredAt: at(4),
        status: 'disabled',
      });
      await unitOfWork().transaction(async (stores) => {
        for (const type of [a, b, c, d]) await stores.recordTypes.insert(type);
      });
      const list = async (filter: Partial<Parameters<ReturnType<typeof reads>['list']>[0]>) =>
        (await reads().list({ orgId, ...filter }, { limit: 9, after: null })).rows;
      expect(await list({})).toEqual([d, c, b, a]);
      expect(await list({ type: 'a.type' })).toEqual([c, b]);
      expect(await list({ publisher: 'other' })).toEqual([b]);
      expect(await list({ status: 'active' })).toEqual([b, a]);
      const { rows, next } = await reads().list({ orgId }, { limit: 3, after: null });
      expect(rows).toHaveLength(3);
      expect((await reads().list({ orgId }, { limit: 3, after: next })).rows).toEqual([a]);
      expect(
        (await reads().list({ orgId: null, type: 'c.type' }, { limit: 3, after: null })).rows,
      ).toEqual([d]);
      expect(await reads().activeNames(orgId)).toEqual(['a.type', 'b.type']);
    });
  });
};
