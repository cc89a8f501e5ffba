import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/unit-of-work.port.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { bytes, sampleAnswer, sampleEvent, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of application/idempotency/idempotency-store.port.ts
// Contract of domain/event/outbox.port.ts

const HOUR = 3_600_000;
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

export const outboxAndIdempotencySuite = (kind: DatabaseKind): void => {
  describe(`outbox on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('holds an event with the change that caused it, unnumbered, or neither', async () => {
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
      const rows = await database().raw('SELECT hex(id) AS id, sequence, type, data FROM outbox');
      expect(rows.map((row) => ({ ...row }))).toEqual([
        {
          id: event.id.replaceAll('-', '').toUpperCase(),
          sequence: null,
          type: event.type,
          data: JSON.stringify(event.data),
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

    it('deletes expired answers in bounded batches and leaves the others', async () => {
      const kept = sampleAnswer();
      await unitOfWork().transaction(async (stores) => {
        for (let i = 0; i < 700; i++)
          await stores.idempotency.insert(sampleAnswer({ createdAt: ago(25 * HOUR + i) }));
        await stores.idempotency.insert(kept);
      });
      const { housekeeping } = database().adapter;
      expect(await housekeeping.deleteExpiredAnswers(600)).toBe(600);
      expect(await housekeeping.deleteExpiredAnswers()).toBe(100);
      expect(await housekeeping.deleteExpiredAnswers()).toBe(0);
      expect(await reads().find(kept.scope)).toEqual(kept);
    });
  });
};
