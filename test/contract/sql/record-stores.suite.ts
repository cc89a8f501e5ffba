import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { NOT_READ } from '../../../domain/record/content.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, fullRecord, hex, sampleCompletion, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/record/record-store.port.ts

export const recordStoresSuite = (kind: DatabaseKind): void => {
  describe(`record and completion stores on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;
    const insert = (...records: RecordState[]): Promise<void> =>
      unitOfWork().transaction(async (stores) => {
        for (const record of records) await stores.records.insert(record);
      });

    it('gives a record back as it was, whether every member is set or none', async () => {
      for (const record of [sampleRecord(), fullRecord()]) {
        await insert(record);
        expect((await reads().records.find(record.id))?.record).toEqual(record);
      }
    });

    it('keeps criteria as the JSON value they are: members named __proto__, any Unicode, every double', async () => {
      const criteria = JSON.parse(
        '{"__proto__":{"a":1},"constructor":[],"10":"ten","2":"two","é":"é","e\\u0301":"\\u0000\\ud83d\\ude00","n":[5e-324,1.7976931348623157e308,0.1,-1e-7,9007199254740991]}',
      ) as RecordState['criteria'];
      const record = sampleRecord({ criteria });
      await insert(record);
      const stored = (await reads().records.find(record.id))!.record.criteria;
      expect(JSON.stringify(stored)).toBe(JSON.stringify(criteria));
    });

    it('knows nothing of a record that is not there', async () => {
      expect(await reads().records.find(uuid())).toBeNull();
      expect(await unitOfWork().transaction((stores) => stores.records.lock(uuid()))).toBeNull();
    });

    it("gives the database's own time with a locked record and with a read one", async () => {
      const record = sampleRecord();
      await insert(record);
      const before = Date.now();
      const locked = await unitOfWork().transaction((stores) => stores.records.lock(record.id));
      const read = await reads().records.find(record.id);
      for (const now of [locked!.now, read!.now]) {
        expect(now.getTime()).toBeGreaterThanOrEqual(before - 50);
        expect(now.getTime()).toBeLessThanOrEqual(Date.now() + 50);
      }
    });

    it('writes every member that an update may change', async () => {
      const record = sampleRecord({ status: 'PROPOSED', terminalAt: null });
      await insert(record);
      const changed: RecordState = {
        ...fullRecord(),
        id: record.id,
        orgId: record.orgId,
        schema: record.schema,
        criteria: { other: true },
        version: 2,
      };
      await unitOfWork().transaction(async (stores) => {
        await stores.records.lock(record.id);
        await stores.records.update(changed);
      });
      expect((await reads().records.find(record.id))?.record).toEqual(changed);
    });

    describe('large criteria', () => {
      const large = (seed: string): RecordState['criteria'] => ({ [seed]: 'x'.repeat(20_000) });
      const offered = (seed: string): RecordState['counterProposal'] => ({
        criteria: large(seed),
        criteriaHash: hex(seed),
        message: null,
        proposedBy: { kind: 'system' },
        proposedAt: at(0),
      });
      const open = async (): Promise<RecordState> => {
        const record = sampleRecord({
          status: 'PROPOSED',
          terminalAt: null,
          criteria: large('first'),
          criteriaHash: hex('first'),
        });
        await insert(record);
        return record;
      };
      const found = async ({ id }: RecordState): Promise<RecordState> =>
        reads().records.whole((await reads().records.find(id))!.record);

      it('are given back to who asks for the whole record, and in listings', async () => {
        const record = await open();
        expect((await reads().records.find(record.id))!.record).toEqual({
          ...record,
          criteria: NOT_READ,
        });
        expect(await found(record)).toEqual(record);
        const filter = { reader: { orgId: record.orgId }, sort: 'createdAt' } as const;
        const { rows } = await reads().records.list(filter, { limit: 10, after: null });
        expect(rows).toEqual([record]);
        const ids = await reads().records.ids(filter, { limit: 10, after: null });
        expect(ids.rows).toEqual([record.id]);
        expect(await reads().records.content(record.id, hex('first'))).toEqual(record.criteria);
        expect(await reads().records.content(record.id, hex('other'))).toBeNull();
        expect(await reads().records.content(uuid(), hex('first'))).toBeNull();
      });

      it('are left where they are by every lock, and small ones by those that carry a record along', async () => {
        const [record, small] = [await open(), sampleRecord()];
        await insert(small);
        await unitOfWork().transaction(async ({ records }) => {
          expect((await records.lock(record.id))!.record).toEqual({
            ...record,
            criteria: NOT_READ,
          });
          expect((await records.lock(small.id))!.record).toEqual(small);
          for (const one of [record, small]) {
            expect((await records.lockInTree(one.id))!.criteria).toBe(NOT_READ);
            expect((await records.findInTree([one.id]))[0]!.criteria).toBe(NOT_READ);
          }
        });
      });

      it('stay as they are where an update changes the rest', async () => {
        const [record, small] = [await open(), sampleRecord()];
        await insert(small);
        for (const one of [record, small]) {
          await unitOfWork().transaction(async ({ records }) => {
            const held = (await records.lockInTree(one.id))!;
            await records.update({ ...held, status: 'CANCELLED', version: 2 }, held);
          });
          expect(await found(one)).toEqual({ ...one, status: 'CANCELLED', version: 2 });
        }
      });

      it('are replaced by others, and by those before', async () => {
        let record = await open();
        const change = async (next: Partial<RecordState>): Promise<void> => {
          const after = { ...record, ...next, version: record.version + 1 };
          await unitOfWork().transaction(async ({ records }) => {
            await records.lock(record.id);
            await records.update(after, record);
          });
          record = after;
          expect(await found(record)).toEqual(record);
        };
        await change({ counterProposal: offered('second') });
        await change({ counterProposal: offered('first') });
        await change({ counterProposal: offered('second') });
        await change({
          criteria: large('second'),
          criteriaHash: hex('second'),
          counterProposal: null,
        });
        await change({ criteria: { small: true }, criteriaHash: hex('small') });
      });
    });

    it('refuses an update that skips or repeats a version', async () => {
      const record = sampleRecord();
      await insert(record);
      for (const version of [1, 3]) {
        await expect(
          unitOfWork().transaction((stores) => stores.records.update({ ...record, version })),
        ).rejects.toThrow('not at version');
      }
      expect((await reads().records.find(record.id))?.record).toEqual(record);
    });

    it('lets one of many rivals win, in this process and in another', async () => {
      const record = sampleRecord({ status: 'ACTIVE' });
      await insert(record);
      const other = database().another();
      const race = (adapter: typeof other, name: string) =>
        adapter.unitOfWork.transaction(async (stores) => {
          const found = (await stores.records.lock(record.id))!.record;
          if (found.status !== 'ACTIVE') return false;
          await stores.records.update({
            ...found,
            status: 'CANCELLED',
            message: name,
            version: found.version + 1,
          });
          return true;
        });
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          race(i % 2 ? other : database().adapter, `rival ${i}`),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await reads().records.find(record.id))?.record).toMatchObject({
        status: 'CANCELLED',
        version: 2,
        message: `rival ${won.indexOf(true)}`,
      });
    });

    it('keeps completions in order of revision, one a revision, with their gate and verdict', async () => {
      const record = sampleRecord({ status: 'ACTIVE' });
      await insert(record);
      const first = sampleCompletion(record.id);
      const second = sampleCompletion(record.id, { revision: 2, entryPosition: 4 });
      await unitOfWork().transaction(async (stores) => {
        await stores.completions.insert(second);
        await stores.completions.insert(first);
      });
      const judged = {
        ...first,
        gate: {
          state: 'FAILED' as const,
          evaluatedAt: at(3),
          results: [
            {
              gateId: 'g',
              description: '',
              outcome: 'fail' as const,
              severity: 'block' as const,
              expression: 'false',
              inputsDigest: 'ab',
              detail: 'no',
            },
          ],
        },
        verdict: {
          verdict: 'reject' as const,
          reason: null,
          renderedBy: { kind: 'system' as const },
          renderedAt: at(4),
        },
      };
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.completions.find(first.id)).toEqual(first);
        await stores.completions.update(judged);
      });
      expect(await reads().completions.ofRecord(record.id)).toEqual([judged, second]);
      const claimed = {
        ...judged,
        verdict: {
          ...judged.verdict,
          gateResults: [{ gateId: 'g', outcome: 'pass' as const, detail: null }],
        },
      };
      await unitOfWork().transaction((stores) => stores.completions.update(claimed));
      expect(await reads().completions.find(first.id)).toEqual(claimed);
      expect(await reads().completions.find(second.id)).toEqual(second);
      expect(await reads().completions.find(uuid())).toBeNull();
      expect(await reads().completions.ofRecord(uuid())).toEqual([]);
      await expect(
        unitOfWork().transaction((stores) =>
          stores.completions.insert(sampleCompletion(record.id)),
        ),
      ).rejects.toBeInstanceOf(DuplicateError);
      await expect(
        unitOfWork().transaction((stores) =>
          stores.completions.update(sampleCompletion(record.id)),
        ),
      ).rejects.toThrow('no completion');
    });
  });
};
