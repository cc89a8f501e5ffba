import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { ROW_KEYS } from '../../support/databases/row-keys.ts';
import { sleep } from '../../support/service/world.ts';
import { bytes, sampleAnswer, sampleEvent, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';
import { dataIn } from '../../support/databases/stored-values.ts';

// Contract of application/ports/idempotency-store.port.ts
// Contract of domain/event/outbox.port.ts

const HOUR = 3_600_000;
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

export const outboxAndIdempotencySuite = (kind: DatabaseKind): void => {
  describe(`outbox on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('holds an event with the change that caused it, or neither', async () => {
      const event = sampleEvent();
      const lost = sampleEvent();
      const { unitOfWork } = database().adapter;
      await unitOfWork.transaction((stores) => stores.outbox.add(event));
      await unitOfWork
        .transaction(async (stores) => {
          await stores.outbox.add(lost);
          await stores.records.lock(uuid());
          throw new Error('no');
        })
        .catch(() => undefined);
      const rows = await database().raw('SELECT hex(id) AS id, type, data FROM outbox');
      expect(rows.map((row) => ({ ...row, data: dataIn(row) }))).toEqual([
        {
          id: event.id.replaceAll('-', '').toUpperCase(),
          type: event.type,
          data: event.data,
        },
      ]);
    });

    it('takes an event id once: it is the idempotency key of the deliveries', async () => {
      const event = sampleEvent();
      const add = () =>
        database().adapter.unitOfWork.transaction((stores) => stores.outbox.add(event));
      await add();
      await expect(add()).rejects.toBeInstanceOf(DuplicateError);
    });
  });

  describe(`idempotency on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads.idempotency;

    it('gives a kept answer back for 24 hours', async () => {
      const fresh = sampleAnswer({
        createdAt: ago(24 * HOUR - 60_000),
        answer: JSON.stringify({ text: 'ü'.repeat(100_000) }),
      });
      const stale = sampleAnswer({ createdAt: ago(24 * HOUR) });
      await unitOfWork().transaction(async (stores) => {
        await stores.idempotency.insert(fresh);
        await stores.idempotency.insert(stale);
      });
      expect(await reads().find(fresh.scope)).toEqual(fresh);
      expect(await reads().find(stale.scope)).toBeNull();
      expect(await reads().find(bytes('unknown'))).toBeNull();
    });

    it('finds an answer that was stored under an older key, and only with that key', async () => {
      const answer = sampleAnswer();
      await unitOfWork().transaction((stores) => stores.idempotency.insert(answer));
      const newer = rowKeysOf([new Uint8Array(32).fill(1)]);
      const rotated = database().another({ rowKeys: [...newer, ...ROW_KEYS] });
      expect(await rotated.reads.idempotency.find(answer.scope)).toEqual(answer);
      expect(await rotated.moveRowsToNewestKey()).toBe(0);
      expect(await rotated.reads.idempotency.find(answer.scope)).toEqual(answer);
      const without = database().another({ rowKeys: newer });
      expect(await without.reads.idempotency.find(answer.scope)).toBeNull();
    });

    it('frees a scope whose answer has expired for the call that asks', async () => {
      const stale = sampleAnswer({ createdAt: ago(25 * HOUR) });
      await unitOfWork().transaction((stores) => stores.idempotency.insert(stale));
      expect(await reads().find(stale.scope)).toBeNull();
      const next = sampleAnswer({ scope: stale.scope });
      await unitOfWork().transaction((stores) => stores.idempotency.insert(next));
      expect(await reads().find(stale.scope)).toEqual(next);
    });

    it('lets one of many calls under one key act', async () => {
      const answer = sampleAnswer();
      const other = database().another();
      const records = Array.from({ length: 12 }, () => sampleRecord());
      const results = await Promise.allSettled(
        records.map((record, i) =>
          (i % 2 ? other : database().adapter).unitOfWork.transaction(async (stores) => {
            await stores.records.insert(record);
            await stores.idempotency.insert(answer);
          }),
        ),
      );
      const lost = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      expect(lost).toHaveLength(11);
      for (const error of lost)
        expect(error).toMatchObject({ name: 'DuplicateError', constraint: 'idempotency_pk' });
      const found = await Promise.all(
        records.map(({ id }) => database().adapter.reads.records.find(id)),
      );
      expect(found.filter((record) => record !== null)).toHaveLength(1);
    });

    it('replaces the answer of an earlier unit of work, and of nothing else', async () => {
      const first = sampleAnswer();
      const second = {
        ...first,
        answer: '{"status":200}',
        createdAt: new Date(Date.parse(first.createdAt) + 1).toISOString(),
      };
      await unitOfWork().transaction((stores) => stores.idempotency.insert(first));
      await unitOfWork().transaction((stores) => stores.idempotency.replace(second));
      expect(await reads().find(first.scope)).toEqual(second);
      await expect(
        unitOfWork().transaction((stores) => stores.idempotency.replace(sampleAnswer())),
      ).rejects.toThrow('no answer to replace');
    });

    it('deletes 50,000 expired answers in one run and leaves the others, while writes go on', async () => {
      const kept = sampleAnswer();
      const insert = (count: number): Promise<void> =>
        unitOfWork().transaction(async (stores) => {
          for (let i = 0; i < count; i++)
            await stores.idempotency.insert(sampleAnswer({ createdAt: ago(25 * HOUR + i) }));
        });
      for (let i = 0; i < 50; i++) await insert(1_000);
      await unitOfWork().transaction((stores) => stores.idempotency.insert(kept));
      const { housekeeping } = database().adapter;
      expect(await housekeeping.hasExpiredAnswers()).toBe(true);

      let done = false;
      const run = housekeeping.deleteExpiredAnswers().finally(() => (done = true));
      const waits: number[] = [];
      while (!done) {
        const began = performance.now();
        await unitOfWork().transaction(async (stores) => {
          await stores.orgs.find(uuid()); // a unit that reads waits for the writer
          await stores.idempotency.insert(sampleAnswer());
        });
        waits.push(performance.now() - began);
        await sleep(5);
      }
      expect(await run).toBe(50_000);
      waits.sort((a, b) => a - b);
      console.log(
        `${kind.name}: ${waits.length} writes meanwhile, median ${waits[waits.length >> 1]?.toFixed(0)} ms, longest ${waits.at(-1)?.toFixed(0)} ms`,
      );
      expect(waits.length).toBeGreaterThan(20);
      expect(waits[waits.length >> 1]).toBeLessThan(250);
      expect(await housekeeping.hasExpiredAnswers()).toBe(false);
      expect(await housekeeping.deleteExpiredAnswers()).toBe(0);
      expect(await reads().find(kept.scope)).toEqual(kept);
    });

    it('stops deleting when its time is over, or the process stops', async () => {
      await unitOfWork().transaction(async (stores) => {
        for (let i = 0; i < 2_000; i++)
          await stores.idempotency.insert(sampleAnswer({ createdAt: ago(25 * HOUR + i) }));
      });
      const { housekeeping } = database().adapter;
      const deleted = await housekeeping.deleteExpiredAnswers({ budgetMs: 1 });
      expect(deleted).toBeGreaterThan(0);
      expect(deleted).toBeLessThan(2_000);
      expect(await housekeeping.deleteExpiredAnswers({ stopping: AbortSignal.abort() })).toBe(0);
      expect(await housekeeping.deleteExpiredAnswers()).toBe(2_000 - deleted);
    });
  });
};
