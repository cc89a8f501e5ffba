import { describe, expect, it } from 'vitest';
import { DuplicateError, type Stores } from '../../../application/ports/unit-of-work.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { entryAfter, sampleAnswer, sampleEvent, sampleRecord } from './samples.ts';
import { useDatabase } from './suite.ts';

const UNITS = 24;

/** Units that act on one record each, at the same moment. */
export const sharedCommitsSuite = (kind: DatabaseKind): void => {
  describe(`units that act on records at once on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;

    const prepared = async (count = UNITS): Promise<readonly RecordState[]> => {
      const records = Array.from({ length: count }, () => sampleRecord({ status: 'ACTIVE' }));
      await unitOfWork().transaction(async (stores) => {
        for (const record of records) {
          await stores.records.insert(record);
          await stores.chains.begin(entryAfter(record.id, null, { recordId: record.id }));
        }
      });
      return records;
    };

    /** What an action does: the row, an entry, an event. */
    const act = async (
      stores: Stores,
      { id }: RecordState,
      message: string,
      inBetween: () => Promise<unknown> = () => Promise.resolve(),
    ): Promise<void> => {
      const { record } = (await stores.records.lock(id))!;
      const head = await stores.chains.lockHead(id);
      await stores.records.update({ ...record, message, version: record.version + 1 }, record);
      await stores.chains.append(entryAfter(id, head, { recordId: id }));
      await stores.outbox.add(sampleEvent({ recordId: id }));
      await inBetween();
    };

    const stateOf = async (id: string): Promise<readonly unknown[]> => {
      const { record } = (await reads().records.find(id))!;
      const head = await reads().chains.head(id);
      const entries = await reads().chains.entries(id, 1, 100);
      return [record.version, record.message, head?.position, entries.length];
    };

    it('are committed all', async () => {
      const records = await prepared();
      await Promise.all(
        records.map((record, n) =>
          unitOfWork().transaction((stores) => act(stores, record, `act ${n}`)),
        ),
      );
      for (const [n, { id }] of records.entries())
        expect(await stateOf(id)).toEqual([2, `act ${n}`, 2, 2]);
    });

    it('hold their records at the same time, so that none waits for the signature of another', async () => {
      const records = await prepared(8);
      let arrived = 0;
      let open!: () => void;
      const all = new Promise<void>((resolve) => (open = resolve));
      await Promise.all(
        records.map((record) =>
          unitOfWork().transaction((stores) =>
            act(stores, record, 'together', () => {
              if (++arrived === records.length) open();
              return all;
            }),
          ),
        ),
      );
      for (const { id } of records) expect(await stateOf(id)).toEqual([2, 'together', 2, 2]);
    });

    it('run once each, though each of them reads on after it told of something', async () => {
      const records = await prepared(8);
      let runs = 0;
      await Promise.all(
        records.map((record) =>
          unitOfWork().transaction(async (stores) => {
            runs++;
            await act(stores, record, 'told');
            // What was told is written before anything is read.
            await stores.chains.lockHead(record.id);
            await stores.outbox.add(sampleEvent({ recordId: record.id }));
            await stores.chains.lockHead(record.id);
          }),
        ),
      );
      expect(runs).toBe(records.length);
      for (const { id } of records) expect(await stateOf(id)).toEqual([2, 'told', 2, 2]);
    });

    it('leave no gap in the numbers of events where one beside them fails', async () => {
      const units = await Promise.allSettled(
        Array.from({ length: UNITS }, (_, n) =>
          unitOfWork().transaction(async (stores) => {
            await stores.outbox.add(sampleEvent());
            await stores.peers.all();
            await stores.outbox.add(sampleEvent());
            await stores.peers.all();
            if (n % 3 === 0) throw new NotaryError('UNPROCESSABLE', 'no');
          }),
        ),
      );
      const kept = units.filter(({ status }) => status === 'fulfilled').length;
      expect(kept).toBe(UNITS - UNITS / 3);
      const told = async (): Promise<Record<string, number>> => {
        const [row] = await database().raw(
          'SELECT COUNT(*) AS events, COUNT(sequence) AS numbered, MAX(sequence) AS newest FROM outbox',
        );
        return Object.fromEntries(Object.entries(row!).map(([name, n]) => [name, Number(n)]));
      };
      const { events } = await told();
      await expect.poll(told).toEqual({ events, numbered: events, newest: events });
    });

    it('go one after the other where they act on the same record, and none is lost', async () => {
      const [record, other] = (await prepared(2)) as [RecordState, RecordState];
      await Promise.all(
        Array.from({ length: UNITS }, (_, n) =>
          unitOfWork().transaction((stores) =>
            act(stores, n % 4 === 3 ? other : record, 'counted'),
          ),
        ),
      );
      const others = UNITS / 4;
      expect(await stateOf(record.id)).toEqual([
        UNITS - others + 1,
        'counted',
        UNITS - others + 1,
        UNITS - others + 1,
      ]);
      expect(await stateOf(other.id)).toEqual([others + 1, 'counted', others + 1, others + 1]);
    });

    it('may change a row more than once', async () => {
      const records = await prepared(6);
      await Promise.all(
        records.map((record, n) =>
          unitOfWork().transaction(async (stores) => {
            const { record: first } = (await stores.records.lock(record.id))!;
            const changes = [
              { message: 'once' },
              { message: 'twice' },
              { message: 'thrice', platform: `p${n}` },
            ];
            let before = first;
            // Some begin with what others end with.
            for (const change of n % 2 === 0 ? changes : changes.toReversed()) {
              const after = { ...before, ...change, version: before.version + 1 };
              await stores.records.update(after, before);
              before = after;
            }
          }),
        ),
      );
      for (const [n, { id }] of records.entries()) {
        const { record } = (await reads().records.find(id))!;
        expect([record.version, record.message, record.platform]).toEqual([
          4,
          n % 2 === 0 ? 'thrice' : 'once',
          `p${n}`,
        ]);
      }
    });

    it('harm no other where one is refused, before or after it wrote', async () => {
      const records = await prepared();
      const refusal = new NotaryError('CONFLICT', 'no');
      const results = await Promise.allSettled(
        records.map((record, n) =>
          unitOfWork().transaction(async (stores) => {
            if (n % 6 === 1) {
              await stores.records.lock(record.id);
              throw refusal;
            }
            await act(stores, record, `act ${n}`, async () => {
              // A read sends what was deferred.
              if (n % 6 === 2 || n % 6 === 3) await stores.chains.lockHead(record.id);
              if (n % 6 === 3 || n % 6 === 4) throw refusal;
            });
          }),
        ),
      );
      for (const [n, { id }] of records.entries()) {
        const isRefused = [1, 3, 4].includes(n % 6);
        expect(results[n]).toEqual(
          isRefused
            ? { status: 'rejected', reason: refusal }
            : { status: 'fulfilled', value: undefined },
        );
        expect(await stateOf(id)).toEqual(isRefused ? [1, null, 1, 1] : [2, `act ${n}`, 2, 2]);
      }
    });

    it('harm no other where the database refuses what one writes', async () => {
      const records = await prepared();
      const taken = sampleAnswer();
      await unitOfWork().transaction((stores) => stores.idempotency.insert(taken));
      const results = await Promise.allSettled(
        records.map((record, n) =>
          unitOfWork().transaction((stores) =>
            act(stores, record, `act ${n}`, async () => {
              if (n === 5 || n === 13) await stores.idempotency.insert(taken);
              // Others read in the same moment.
              if (n >= 12) await stores.chains.lockHead(record.id);
              // Nobody else has this version: the row is not where the unit believes it to be.
              if (n === 9) await stores.records.update({ ...record, version: 70 }, record);
            }),
          ),
        ),
      );
      for (const [n, { id }] of records.entries()) {
        const isRefused = n === 5 || n === 9 || n === 13;
        expect([n, results[n]!.status]).toEqual([n, isRefused ? 'rejected' : 'fulfilled']);
        expect(await stateOf(id)).toEqual(isRefused ? [1, null, 1, 1] : [2, `act ${n}`, 2, 2]);
      }
      const reasons = [5, 9, 13].map((n) => (results[n] as PromiseRejectedResult).reason as Error);
      for (const reason of [reasons[0], reasons[2]]) {
        expect(reason).toBeInstanceOf(DuplicateError);
        expect((reason as DuplicateError).constraint).toBe('idempotency_pk');
      }
      expect(reasons[1]!.message).toContain('is not at version 69');
    });

    it('of two processes do not wait for each other for ever', async () => {
      const records = await prepared();
      const other = database().another();
      const both = [database().adapter, other].flatMap(({ unitOfWork: own }, process) =>
        (process === 0 ? records : [...records].reverse()).map((record) =>
          own.transaction((stores) => act(stores, record, 'met')),
        ),
      );
      await Promise.all(both);
      for (const { id } of records) expect(await stateOf(id)).toEqual([3, 'met', 3, 3]);
    });

    it('refuse a record that is not there, and take one below another by the lock of its root', async () => {
      const [root] = (await prepared(1)) as [RecordState];
      const child = sampleRecord({
        status: 'ACTIVE',
        parentRecordId: root.id,
        rootRecordId: root.id,
      });
      await unitOfWork().transaction(async (stores) => {
        await stores.records.insert(child);
        await stores.chains.begin(entryAfter(child.id, null, { recordId: child.id }));
      });
      const missing = sampleRecord();
      const [absent] = await Promise.all([
        unitOfWork().transaction((stores) => stores.records.lock(missing.id)),
        unitOfWork().transaction((stores) => act(stores, child, 'below')),
        unitOfWork().transaction((stores) => act(stores, root, 'above')),
      ]);
      expect(absent).toBeNull();
      expect(await stateOf(child.id)).toEqual([2, 'below', 2, 2]);
      expect(await stateOf(root.id)).toEqual([2, 'above', 2, 2]);
    });
  });
};
