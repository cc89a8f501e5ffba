import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { sampleEvent, uuid } from './samples.ts';
import { numbered, useDatabase } from './suite.ts';

// Contract of domain/event/event-places.port.ts

const tell = (adapter: SqlAdapter, ...events: readonly DomainEvent[]): Promise<void> =>
  adapter.unitOfWork.transaction(async ({ outbox }) => {
    for (const event of events) await outbox.add(event);
  });

const now = (): string => new Date().toISOString();

export const eventPlacesSuite = (kind: DatabaseKind): void => {
  describe(`places among numbered events on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('finds the number before the first event that was numbered then or later', async () => {
      const adapter = database().another({});
      const { events, eventPlaces } = adapter;
      expect(await eventPlaces.before(now())).toBe(0);
      for (let at = 1; at <= 7; at++) {
        await tell(adapter, sampleEvent({ createdAt: now() }));
        await numbered(events, at);
        await sleep(3);
      }
      const { events: all } = await events.after({
        viewer: { kind: 'platform' },
        after: 0,
        limit: 10,
      });
      expect(all).toHaveLength(7);
      for (const { numberedAt } of all) {
        const earlier = all.filter((other) => other.numberedAt < numberedAt).length;
        expect(await eventPlaces.before(numberedAt)).toBe(earlier);
        const justAfter = new Date(Date.parse(numberedAt) + 1).toISOString();
        const upTo = all.filter((other) => other.numberedAt <= numberedAt).length;
        expect(await eventPlaces.before(justAfter)).toBe(upTo);
      }
      expect(await eventPlaces.before('1970-01-01T00:00:00.000Z')).toBe(0);
      expect(await eventPlaces.before('2100-01-01T00:00:00.000Z')).toBe(7);
      await database().raw('UPDATE outbox SET numbered_at = 0 WHERE sequence IN (4, 5, 6)');
      await database().raw('DELETE FROM outbox WHERE sequence = 2');
      expect(await eventPlaces.before(all[2]!.numberedAt)).toBeLessThanOrEqual(2);
      expect(await eventPlaces.before(all[6]!.numberedAt)).toBeLessThanOrEqual(6);
      expect(await eventPlaces.before(all[6]!.numberedAt)).toBeGreaterThanOrEqual(3);
      expect(await eventPlaces.isAt(1, all[0]!.id)).toBe(true);
      expect(await eventPlaces.isAt(1, all[2]!.id)).toBe(false);
      expect(await eventPlaces.isAt(2, all[1]!.id)).toBe(false);
      expect(await eventPlaces.isAt(8, uuid())).toBe(false);
    });

    it('tells how long the oldest event waits for its number, and passes over what somebody else wrote', async () => {
      const adapter = database().another({});
      const { events, eventPlaces } = adapter;
      const first = await events.newest();
      const old = new Date(Date.now() - 100_000).toISOString();
      await tell(
        adapter,
        sampleEvent({ createdAt: old }),
        sampleEvent({ createdAt: old }),
        sampleEvent({ createdAt: now() }),
      );
      await numbered(events, first + 3);
      expect(await eventPlaces.longestWait()).toBe(0);
      const forget = (sequence: number, more = ''): Promise<unknown> =>
        database().raw(
          `UPDATE outbox SET sequence = NULL, numbered_at = NULL, number_key = NULL, number_mac = NULL${more} WHERE sequence = ${sequence}`,
        );
      // One that was edited never gets a number, and one that had a number gets no other.
      await forget(first + 1, ", type = 'record.failed'");
      await database().raw(`UPDATE outbox SET sequence = NULL WHERE sequence = ${first + 2}`);
      expect(await eventPlaces.longestWait()).toBe(0);
      await database().raw(
        `UPDATE outbox SET number_key = NULL, numbered_at = NULL, number_mac = NULL WHERE sequence IS NULL AND type <> 'record.failed'`,
      );
      expect(await eventPlaces.longestWait()).toBeGreaterThanOrEqual(100_000);
      expect(await eventPlaces.longestWait()).toBeLessThan(160_000);
    });
  });
};
