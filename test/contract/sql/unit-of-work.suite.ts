import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../adapters/sql/database/open-database.ts';
import { DuplicateError, type Stores } from '../../../application/ports/unit-of-work.port.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import {
  entryAfter,
  sampleAnswer,
  sampleApiKey,
  sampleCompletion,
  sampleEvent,
  sampleOrg,
  sampleRecord,
  uuid,
} from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of application/ports/unit-of-work.port.ts

/** What notarizing writes: nothing is read. */
const notarize = async (stores: Stores, record: RecordState): Promise<void> => {
  await stores.records.insert(record);
  await stores.chains.begin(entryAfter(record.id, null, { recordId: record.id }));
  await stores.outbox.add(sampleEvent({ recordId: record.id }));
};

export const unitOfWorkSuite = (kind: DatabaseKind): void => {
  describe(`unit of work on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;
    const count = async (table: string, where = '1 = 1'): Promise<number> =>
      Number((await database().raw(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`))[0]!['n']);

    it('makes everything visible to others once it resolves, and gives back what the work gave', async () => {
      const record = sampleRecord();
      expect(
        await unitOfWork().transaction(async (stores) => (await notarize(stores, record), 'done')),
      ).toBe('done');
      expect((await reads().records.find(record.id))?.record).toEqual(record);
      expect((await reads().chains.head(record.id))?.position).toBe(1);
    });

    it('has a trial that writes a mebibyte and takes it back, and units go on after it', async () => {
      const own = openDatabase({ url: database().url });
      try {
        const before = await count('webhook_bodies');
        await own.tryWrite(2 ** 20);
        await own.tryWrite(2 ** 20);
        expect(await count('webhook_bodies')).toBe(before);
      } finally {
        await own.close();
      }
      await unitOfWork().transaction((stores) => notarize(stores, sampleRecord()));
    });

    it('commits nothing and answers at once where the work did nothing', async () => {
      expect(await unitOfWork().transaction(() => Promise.resolve(7))).toBe(7);
    });

    it('lets a refusal through unchanged and leaves no half, whether the unit only inserted or had read', async () => {
      const refusal = new NotaryError('CONFLICT', 'no');
      const inserted = sampleRecord();
      const afterRead = sampleRecord();
      const insertOnly = unitOfWork().transaction(async (stores) => {
        await notarize(stores, inserted);
        throw refusal;
      });
      await expect(insertOnly).rejects.toBe(refusal);
      const interactive = unitOfWork().transaction(async (stores) => {
        await notarize(stores, afterRead);
        expect(await stores.records.lock(afterRead.id)).not.toBeNull();
        throw refusal;
      });
      await expect(interactive).rejects.toBe(refusal);
      for (const { id } of [inserted, afterRead]) {
        expect(await reads().records.find(id)).toBeNull();
        expect(await reads().chains.entries(id, 1, 10)).toEqual([]);
      }
    });

    it('shows a unit its own writes, and nobody else before the commit', async () => {
      const record = sampleRecord();
      await unitOfWork().transaction(async (stores) => {
        await notarize(stores, record);
        expect((await stores.records.lock(record.id))?.record).toEqual(record);
        expect(await reads().records.find(record.id)).toBeNull();
        await stores.records.update({ ...record, version: 2, message: 'changed' });
        expect((await stores.records.lock(record.id))?.record.message).toBe('changed');
      });
      expect((await reads().records.find(record.id))?.record.version).toBe(2);
    });

    it('gives 29 of 30 their commit when one of the group writes a duplicate', async () => {
      const taken = sampleRecord();
      await unitOfWork().transaction((stores) => notarize(stores, taken));
      const records = Array.from({ length: 30 }, (_, i) =>
        i === 17 ? sampleRecord({ id: taken.id }) : sampleRecord(),
      );
      const results = await Promise.allSettled(
        records.map((record) => unitOfWork().transaction((stores) => notarize(stores, record))),
      );
      const failed = results.flatMap((result, i) =>
        result.status === 'rejected' ? [{ i, error: result.reason as unknown }] : [],
      );
      expect(failed).toHaveLength(1);
      expect(failed[0]?.i).toBe(17);
      expect(failed[0]?.error).toBeInstanceOf(DuplicateError);
      expect((failed[0]?.error as DuplicateError).constraint).toBe('records_pk');
      for (const { id } of records) {
        expect((await reads().records.find(id))?.record.id).toBe(id);
        expect(await reads().chains.entries(id, 1, 5)).toHaveLength(1);
        expect(await count('outbox', `record_id = ${hexLiteral(id)}`)).toBe(1);
      }
    });

    it('names the unique key that is taken as the schema does', async () => {
      const org = sampleOrg();
      const key = sampleApiKey();
      const answer = sampleAnswer();
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.apiKeys.insert(key);
        await stores.idempotency.insert(answer);
      });
      const constraintOf = async (work: (stores: Stores) => Promise<void>): Promise<unknown> =>
        unitOfWork()
          .transaction(work)
          .then(
            () => null,
            (error: unknown) => (error instanceof DuplicateError ? error.constraint : error),
          );
      expect(
        await constraintOf((stores) => stores.orgs.insert(sampleOrg({ slug: org.slug }))),
      ).toBe('orgs_slug_unique');
      expect(
        await constraintOf((stores) => stores.orgs.insert(sampleOrg({ id: org.id, slug: uuid() }))),
      ).toBe('orgs_pk');
      expect(
        await constraintOf((stores) =>
          stores.apiKeys.insert(sampleApiKey({ keyHash: key.keyHash })),
        ),
      ).toBe('api_keys_key_hash_unique');
      expect(await constraintOf((stores) => stores.idempotency.insert(answer))).toBe(
        'idempotency_pk',
      );
    });

    it('fails the unit on a duplicate even where its work goes on', async () => {
      const record = sampleRecord();
      const stray = sampleEvent();
      await unitOfWork().transaction((stores) => notarize(stores, record));
      const unit = unitOfWork().transaction(async (stores) => {
        await stores.records.insert(sampleRecord({ id: record.id }));
        await stores.completions.find(uuid()).catch(() => null);
        await stores.outbox.add(stray);
      });
      await expect(unit).rejects.toBeInstanceOf(DuplicateError);
      expect(await count('outbox', `id = ${hexLiteral(stray.id)}`)).toBe(0);
    });

    it('keeps reading and inserting units apart when they share a moment: failures harm nobody else', async () => {
      const base = Array.from({ length: 20 }, () => sampleRecord({ status: 'ACTIVE' }));
      await unitOfWork().transaction(async (stores) => {
        for (const record of base) await notarize(stores, record);
      });
      const refusal = new NotaryError('CONFLICT', 'odd ones are refused');
      const inserted: RecordState[] = [];
      const work = base.flatMap((record, i) => {
        const extra = sampleRecord();
        inserted.push(extra);
        return [
          unitOfWork().transaction(async (stores) => {
            const found = await stores.records.lock(record.id);
            await stores.records.update({ ...found!.record, message: `seen ${i}`, version: 2 });
            if (i % 2 === 1) throw refusal;
          }),
          unitOfWork().transaction((stores) => notarize(stores, extra)),
        ];
      });
      const results = await Promise.allSettled(work);
      expect(
        results
          .filter(({ status }) => status === 'rejected')
          .every((result) => result.status === 'rejected' && result.reason === refusal),
      ).toBe(true);
      for (const [i, { id }] of base.entries()) {
        const found = (await reads().records.find(id))!.record;
        expect([found.version, found.message]).toEqual(i % 2 === 1 ? [1, null] : [2, `seen ${i}`]);
      }
      for (const { id } of inserted) expect(await reads().records.find(id)).not.toBeNull();
    });

    it('takes statements that a unit starts at once one after the other, inserts first', async () => {
      const record = sampleRecord();
      const completion = sampleCompletion(record.id);
      await unitOfWork().transaction(async (stores) => {
        await notarize(stores, record);
        await stores.completions.insert(completion);
        const [locked, found, head] = await Promise.all([
          stores.records.lock(record.id),
          stores.completions.find(completion.id),
          stores.chains.lockHead(record.id),
        ]);
        expect([locked?.record.id, found?.id, head?.position]).toEqual([
          record.id,
          completion.id,
          1,
        ]);
      });
    });

    it('refuses a store that is used after the end of its unit', async () => {
      const kept = await unitOfWork().transaction((stores) => Promise.resolve(stores));
      await expect(kept.records.insert(sampleRecord())).rejects.toThrow('after the end');
    });

    it('holds up no insert while a unit is still at work, for longer than a moment', async () => {
      let release!: () => void;
      const slow = unitOfWork().transaction(async (stores) => {
        await stores.outbox.add(sampleEvent());
        await new Promise<void>((resolve) => (release = resolve));
      });
      const record = sampleRecord();
      await unitOfWork().transaction((stores) => notarize(stores, record));
      expect(await reads().records.find(record.id)).not.toBeNull();
      release();
      await slow;
    });

    it('writes a burst of 400 units completely', async () => {
      const records = Array.from({ length: 400 }, () => sampleRecord());
      await Promise.all(
        records.map((record, i) =>
          unitOfWork().transaction(async (stores) => {
            if (i % 3 === 0) await sleep(i % 7);
            await notarize(stores, record);
          }),
        ),
      );
      const missing = (await Promise.all(records.map(({ id }) => reads().records.find(id)))).filter(
        (found) => found === null,
      );
      expect(missing).toEqual([]);
    });

    it('starves neither units that read nor units that insert while both come without end', async () => {
      const base = Array.from({ length: 8 }, () => sampleRecord({ status: 'ACTIVE' }));
      await unitOfWork().transaction(async (stores) => {
        for (const record of base) await notarize(stores, record);
      });
      const done = { reading: 0, inserting: 0 };
      const until = Date.now() + 1_000;
      const loop = async (
        kindOfWork: keyof typeof done,
        work: () => Promise<void>,
      ): Promise<void> => {
        while (Date.now() < until) {
          await work();
          done[kindOfWork]++;
        }
      };
      await Promise.all(
        base.flatMap(({ id }) => [
          loop('reading', () =>
            unitOfWork().transaction(async (stores) => {
              const { record } = (await stores.records.lock(id))!;
              await stores.records.update({ ...record, version: record.version + 1 });
            }),
          ),
          loop('inserting', () =>
            unitOfWork().transaction((stores) => notarize(stores, sampleRecord())),
          ),
        ]),
      );
      expect(done.reading).toBeGreaterThan(20);
      expect(done.inserting).toBeGreaterThan(20);
    });

    it('stores values of any size that is allowed above, byte for byte', async () => {
      const big = 'ä'.repeat(500_000);
      const hash = hashJson({ big });
      const records = Array.from({ length: 10 }, () =>
        sampleRecord({ criteria: { big }, criteriaHash: hash }),
      );
      await Promise.all(
        records.map((record) => unitOfWork().transaction((stores) => notarize(stores, record))),
      );
      for (const { id } of records)
        expect(await reads().records.content(id, hash)).toEqual({ big });
    });

    it('refuses new units once it is closed, and finishes those that run', async () => {
      const other = database().another();
      const record = sampleRecord();
      const running = other.unitOfWork.transaction(async (stores) => {
        await sleep(30);
        await notarize(stores, record);
      });
      await Promise.all([running, other.close()]);
      expect(await reads().records.find(record.id)).not.toBeNull();
      await expect(other.unitOfWork.transaction(() => Promise.resolve(1))).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    });
  });
};

const hexLiteral = (id: string): string => `x'${id.replaceAll('-', '')}'`;
