import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NumberedEvent } from '../../domain/event/event.ts';
import { at, sampleEvent, uuid } from '../contract/sql/samples.ts';
import { quickDatabases, type TestDatabase } from '../support/databases/databases.ts';

interface Step {
  readonly chain: number;
  readonly node: number;
  readonly events: number;
  readonly isInteractive: boolean;
  readonly later: number;
}

/** An entry of one of a few chains, sealed by one of two processes, with so many events. */
const step: fc.Arbitrary<Step> = fc.record({
  chain: fc.nat({ max: 4 }),
  node: fc.nat({ max: 1 }),
  events: fc.integer({ min: 1, max: 3 }),
  isInteractive: fc.boolean(),
  /** By how much the clock went on since the entry before, ms. */
  later: fc.nat({ max: 2 }),
});

describe.each(quickDatabases())('numbers on $name', (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await kind.open();
  });
  afterAll(() => database.drop());

  it('follow each chain, whoever writes it and however commits end, without a gap', async () => {
    const nodes = [database.adapter, database.another()];
    const { events: reads } = database.adapter;
    const tells = async (steps: readonly Step[]) => {
      const before = await reads.newest();
      const expected = new Map<string, string[]>();
      const chains = [0, 1, 2, 3, 4].map(async (chain) => {
        const recordId = uuid();
        const told: string[] = [];
        expected.set(recordId, told);
        let [position, time] = [0, 0];
        for (const { node, events, isInteractive, later } of steps.filter(
          (one) => one.chain === chain,
        )) {
          position++;
          time += later;
          const made = Array.from({ length: events }, () =>
            sampleEvent({ recordId, position, createdAt: at(time) }),
          );
          await nodes[node]!.unitOfWork.transaction(async (stores) => {
            if (isInteractive) await stores.records.lock(uuid());
            for (const event of made) await stores.outbox.add(event);
          });
          told.push(...made.map(({ id }) => id));
        }
      });
      await Promise.all(chains);
      const total = steps.reduce((sum, { events }) => sum + events, 0);
      for (let tries = 0; (await reads.newest()) < before + total && tries < 300; tries++)
        await sleep(10);
      const met: NumberedEvent[] = [];
      for (let from = before, more = true; more;) {
        const page = await reads.after({ viewer: { kind: 'platform' }, after: from, limit: 20 });
        met.push(...page.events);
        [from, more] = [page.through, page.hasMore];
      }
      expect(met.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: total }, (_, n) => before + 1 + n),
      );
      for (const [recordId, told] of expected)
        expect(met.filter((event) => event.recordId === recordId).map(({ id }) => id)).toEqual(
          told,
        );
      const times = met.map(({ numberedAt }) => numberedAt);
      expect(times).toEqual(times.toSorted());
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), tells), {
      numRuns: 20,
      interruptAfterTimeLimit: 20_000,
    });
  });
});
