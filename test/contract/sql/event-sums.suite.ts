import { afterEach, describe, expect, it, vi } from 'vitest';
import { SummedEvents } from '../../../application/event/summed-events.ts';
import type { SumLimit } from '../../../application/ports/sums.ts';
import { TellSums } from '../../../application/event/tell-sums.ts';
import { EventOutbox } from '../../../application/sealing/event-outbox.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';
import { dataIn } from '../../support/databases/stored-values.ts';

// Contract of application/ports/event-sums.port.ts

const BASE = { type: 'auth.refused', orgId: null, partyAgentId: null, agentId: null } as const;
const LIMIT: SumLimit = { limit: 20, rest: { ...BASE, data: { reason: 'others' } } };
const sum = (group: string, count: number) => ({
  group,
  count,
  firstAt: at(1),
  last: { ...BASE, data: { reason: group }, requestId: 'r' },
});

export const eventSumsSuite = (kind: DatabaseKind): void => {
  describe(`counts of events on ${kind.name}`, () => {
    const database = useDatabase(kind);
    afterEach(async () => {
      await database().raw('DELETE FROM event_sums');
      await database().raw('DELETE FROM outbox');
    });
    const told = async (): Promise<[string, number][]> =>
      (await database().raw("SELECT data FROM outbox WHERE type = 'auth.refused' ORDER BY id"))
        .map((row) => dataIn(row) as { reason: string; count: number })
        .map(({ reason, count }) => [reason, count]);

    const parts = (onError: (error: unknown) => void = fail) => {
      const { unitOfWork } = database().another({});
      const clock = { now: () => new Date() };
      const ids = { next: uuid };
      return {
        unitOfWork,
        sums: new SummedEvents(unitOfWork, clock, ids, LIMIT, onError),
        tell: new TellSums(unitOfWork, clock, new EventOutbox(ids), [LIMIT]),
      };
    };
    const fail = (error: unknown): never => {
      throw error;
    };
    const say = (sums: SummedEvents, group: string, times = 1): void => {
      for (let n = 0; n < times; n++)
        sums.tell({ ...BASE, group, data: { reason: group }, requestId: `r${n}` });
    };

    it('are written anew, and taken once', async () => {
      const { unitOfWork } = parts();
      const id = uuid();
      await unitOfWork.transaction(({ eventSums }) =>
        eventSums.insert({ id, sums: [sum('a', 1)], createdAt: at(1) }),
      );
      const replace = (): Promise<boolean> =>
        unitOfWork.transaction(({ eventSums }) => eventSums.replace(id, [sum('a', 5)]));
      expect(await replace()).toBe(true);
      const take = () => unitOfWork.transaction(({ eventSums }) => eventSums.take());
      expect(await take()).toEqual([{ id, sums: [sum('a', 5)], createdAt: at(1) }]);
      expect(await take()).toEqual([]);
      expect(await replace()).toBe(false);
    });

    it('that somebody edited are lost, and hold up no others', async () => {
      const { unitOfWork } = parts();
      const [edited, other] = [uuid(), uuid()];
      for (const id of [edited, other])
        await unitOfWork.transaction(({ eventSums }) =>
          eventSums.insert({ id, sums: [sum('a', 1)], createdAt: at(1) }),
        );
      await database().raw(
        `UPDATE event_sums SET sums = '[]' WHERE id = x'${edited.replaceAll('-', '')}'`,
      );
      const taken = await unitOfWork.transaction(({ eventSums }) => eventSums.take());
      expect(taken.map(({ id }) => id)).toEqual([other]);
      expect(await database().raw('SELECT id FROM event_sums')).toEqual([]);
    });

    it('of two processes are told as one, each group once, and nothing is told twice', async () => {
      const [one, other] = [parts(), parts()];
      say(one.sums, 'a', 3);
      say(other.sums, 'a', 4);
      say(other.sums, 'b');
      await Promise.all([one.sums.flush(), other.sums.flush()]);
      say(one.sums, 'a', 2);
      await one.sums.flush();
      expect(await database().raw('SELECT id FROM event_sums')).toHaveLength(2);
      await Promise.all([one.tell.run(), other.tell.run()]);
      expect((await told()).sort()).toEqual([
        ['a', 9],
        ['b', 1],
      ]);
      // What comes after that is a row of its own, with its own count.
      say(one.sums, 'a', 2);
      await one.sums.flush();
      await one.tell.run();
      expect((await told()).map(([, count]) => count).sort()).toEqual([1, 2, 9]);
    });

    it('of a flood on two processes are no more events than the limit, and no count is lost', async () => {
      const [one, other] = [parts(), parts()];
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 100; n++) {
          say(one.sums, `one ${n}`);
          say(other.sums, `other ${round} ${n}`);
        }
        await Promise.all([one.sums.flush(), other.sums.flush()]);
      }
      await one.tell.run();
      const all = await told();
      expect(all).toHaveLength(LIMIT.limit);
      expect(all.reduce((total, [, count]) => total + count, 0)).toBe(600);
      expect(all.filter(([reason]) => reason === 'others')).toHaveLength(1);
    });

    it('are in the database a second after they happened, without anybody asking', async () => {
      const { sums } = parts();
      say(sums, 'a', 3);
      await vi.waitFor(
        async () => expect(await database().raw('SELECT id FROM event_sums')).toHaveLength(1),
        60_000,
      );
    });

    it('are kept while they cannot be written', async () => {
      const errors: unknown[] = [];
      const { sums, tell, unitOfWork } = parts((error) => errors.push(error));
      const transaction = unitOfWork.transaction.bind(unitOfWork);
      let isAway = true;
      unitOfWork.transaction = ((work: Parameters<typeof transaction>[0]) =>
        isAway ? Promise.reject(new Error('away')) : transaction(work)) as typeof transaction;
      say(sums, 'a', 3);
      await sums.flush();
      say(sums, 'a');
      isAway = false;
      await sums.flush();
      await tell.run();
      expect(errors).toHaveLength(1);
      expect(await told()).toEqual([['a', 4]]);
    });
  });
};
