import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openSqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { entryAfter, sampleEvent, sampleRecord } from './samples.ts';
import { useDatabase } from './suite.ts';
import { ROW_KEYS } from '../../support/databases/row-keys.ts';

/** Faults that are set inside the database itself. */
export const failuresSuite = (kind: DatabaseKind): void => {
  describe(`failures on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const missing = async (ids: readonly string[]): Promise<string[]> => {
      const found = await Promise.all(ids.map((id) => database().adapter.reads.records.find(id)));
      return ids.filter((_, i) => found[i] === null);
    };

    it('leave no half behind: a statement that fails in the middle takes the whole unit with it, and only it', async () => {
      // The outbox is the last table that is written: by then everything else of the group is in the transaction.
      await database().raw(
        kind.name === 'mysql'
          ? "CREATE TRIGGER fault BEFORE INSERT ON outbox FOR EACH ROW IF NEW.record_type = 'fault' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'injected'; END IF"
          : "CREATE TRIGGER fault BEFORE INSERT ON outbox WHEN NEW.record_type = 'fault' BEGIN SELECT RAISE(ABORT, 'injected'); END",
      );
      const records = Array.from({ length: 20 }, () => sampleRecord());
      const results = await Promise.allSettled(
        records.map((record, i) =>
          unitOfWork().transaction(async (stores) => {
            await stores.records.insert(record);
            await stores.chains.begin(entryAfter(record.id, null));
            await stores.outbox.add(
              sampleEvent({ recordId: record.id, recordType: i === 4 ? 'fault' : 'ledger.entry' }),
            );
          }),
        ),
      );
      await database().raw('DROP TRIGGER fault');
      expect(results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([4]);
      expect(await missing(records.map(({ id }) => id))).toEqual([records[4]!.id]);
      expect(await database().adapter.reads.chains.head(records[4]!.id)).toBeNull();
      const reason = results[4]?.status === 'rejected' ? (results[4].reason as Error) : null;
      expect(reason).toMatchObject({ name: 'DatabaseError' });
      expect(reason?.message).not.toContain('injected');
    });

    it.runIf(kind.name === 'sqlite')(
      'of a shared commit are settled one by one: each unit runs again alone and only the one at fault fails',
      async () => {
        // A deferred foreign key is checked by COMMIT and by nothing before it.
        await database().raw('CREATE TABLE fault_parent (id INTEGER PRIMARY KEY)');
        await database().raw(
          'CREATE TABLE fault_child (id INTEGER REFERENCES fault_parent (id) DEFERRABLE INITIALLY DEFERRED)',
        );
        await database().raw(
          "CREATE TRIGGER fault AFTER INSERT ON records WHEN NEW.platform = 'fault' BEGIN INSERT INTO fault_child VALUES (1); END",
        );
        const base = sampleRecord({ status: 'ACTIVE' });
        await unitOfWork().transaction((stores) => stores.records.insert(base));
        const records = Array.from({ length: 12 }, (_, i) =>
          sampleRecord({ platform: i === 5 ? 'fault' : 'api' }),
        );
        let runs = 0;
        const results = await Promise.allSettled([
          ...records.map((record) =>
            unitOfWork().transaction((stores) => stores.records.insert(record)),
          ),
          unitOfWork().transaction(async (stores) => {
            runs++;
            const { record } = (await stores.records.lock(base.id))!;
            await stores.records.update({ ...record, version: record.version + 1 });
          }),
        ]);
        await database().raw('DROP TRIGGER fault');
        expect(results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([5]);
        expect(await missing(records.map(({ id }) => id))).toEqual([records[5]!.id]);
        expect((await database().adapter.reads.records.find(base.id))?.record.version).toBe(2);
        expect(runs).toBeGreaterThanOrEqual(1);
      },
    );

    it.runIf(kind.name === 'mysql')(
      'of the connection are told as SERVICE_UNAVAILABLE or mended; what was acknowledged is there, what was not is whole or absent',
      async () => {
        const records = Array.from({ length: 300 }, () => sampleRecord());
        let killing = true;
        let kills = 0;
        const killer = (async () => {
          while (killing) {
            // The list also shows statements, and fails itself where their bytes are no text.
            const rows = await database()
              .raw(
                'SELECT id AS connection FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
              )
              .catch(() => []);
            for (const { connection } of rows)
              if (Math.random() < 0.5)
                await database()
                  .raw(`KILL ${Number(connection)}`)
                  .then(
                    () => kills++,
                    () => undefined,
                  );
            await sleep(5);
          }
        })();
        const results: PromiseSettledResult<void>[] = [];
        for (let i = 0; i < records.length; i += 20) {
          results.push(
            ...(await Promise.allSettled(
              records.slice(i, i + 20).map((record, n) =>
                unitOfWork().transaction(async (stores) => {
                  await stores.records.insert(record);
                  await stores.chains.begin(entryAfter(record.id, null));
                  if (n % 4 === 0) await stores.chains.lockHead(record.id);
                }),
              ),
            )),
          );
        }
        killing = false;
        await killer;
        expect(kills).toBeGreaterThan(3);
        for (const [i, result] of results.entries()) {
          const { id } = records[i]!;
          const stored = (await database().adapter.reads.records.find(id)) !== null;
          expect((await database().adapter.reads.chains.head(id)) !== null).toBe(stored);
          if (result.status === 'fulfilled') expect(stored).toBe(true);
          else expect(result.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        }
        const after = sampleRecord();
        await unitOfWork().transaction((stores) => stores.records.insert(after));
      },
    );

    it('of contention are mended by running again: units that lock two rows in opposite order all commit', async () => {
      const [a, b] = [sampleRecord({ status: 'ACTIVE' }), sampleRecord({ status: 'ACTIVE' })];
      await unitOfWork().transaction(async (stores) => {
        await stores.records.insert(a);
        await stores.records.insert(b);
      });
      const touch = (order: readonly string[]) =>
        unitOfWork().transaction(async (stores) => {
          for (const id of order) {
            const { record } = (await stores.records.lock(id))!;
            await stores.records.update({ ...record, version: record.version + 1 });
          }
        });
      await Promise.all(
        Array.from({ length: 24 }, (_, i) => touch(i % 2 ? [a.id, b.id] : [b.id, a.id])),
      );
      for (const { id } of [a, b])
        expect((await database().adapter.reads.records.find(id))?.record.version).toBe(25);
    });

    it('to reach the database at all are told as SERVICE_UNAVAILABLE, by writes, reads and ping', async () => {
      const background: unknown[] = [];
      const away = openSqlAdapter({
        rowKeys: ROW_KEYS,
        onError: (error) => background.push(error),
        url:
          kind.name === 'mysql'
            ? 'mysql://nobody:x@127.0.0.1:1/none'
            : 'sqlite:///proc/nowhere.sqlite',
      });
      const told = {
        code: 'SERVICE_UNAVAILABLE',
        members: { retryAfter: expect.any(Number) as unknown },
      };
      await expect(away.ping()).rejects.toMatchObject(told);
      await expect(
        away.unitOfWork.transaction((stores) => stores.outbox.add(sampleEvent())),
      ).rejects.toMatchObject(told);
      await expect(
        away.unitOfWork.transaction((stores) => stores.records.lock(sampleRecord().id)),
      ).rejects.toMatchObject(told);
      await expect(away.reads.records.find(sampleRecord().id)).rejects.toMatchObject(told);
      await expect(away.keyUseLog.begin(sampleRecord().id, new Date())).rejects.toMatchObject(told);
      away.keyUseLog.touch(sampleRecord().id, new Date());
      await away.close();
      expect(background).toMatchObject([told]);
    });
  });
};
