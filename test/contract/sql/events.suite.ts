import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventFeed } from '../../../application/event/event-feed.ts';
import type { EventFault } from '../../../application/event/event-fault.ts';
import { EventTail } from '../../../application/event/event-tail.ts';
import type { DomainEvent, NumberedEvent } from '../../../domain/event/event.ts';
import type {
  EventFilter,
  EventReads,
  EventViewer,
} from '../../../domain/event/event-reads.port.ts';
import type { SqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleEvent, uuid } from './samples.ts';
import { numbered, useDatabase } from './suite.ts';

// Contract of domain/event/event-reads.port.ts
// Contract of application/event/event-notice.port.ts

const PLATFORM: EventViewer = { kind: 'platform' };

const tell = (adapter: SqlAdapter, ...events: readonly DomainEvent[]): Promise<void> =>
  adapter.unitOfWork.transaction(async ({ outbox }) => {
    for (const event of events) await outbox.add(event);
  });

const walk = async (
  reads: EventReads,
  viewer: EventViewer = PLATFORM,
  { filter, limit = 3, after = 0 }: { filter?: EventFilter; limit?: number; after?: number } = {},
): Promise<readonly NumberedEvent[]> => {
  const all: NumberedEvent[] = [];
  for (let from = after; ;) {
    const page = await reads.after({ viewer, after: from, limit, ...(filter ? { filter } : {}) });
    all.push(...page.events);
    from = page.through;
    if (!page.hasMore) return all;
  }
};

const ids = (events: readonly DomainEvent[]): readonly string[] => events.map(({ id }) => id);

export const eventsSuite = (kind: DatabaseKind): void => {
  describe(`numbered events on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const open = () => {
      const faults: EventFault[] = [];
      const adapter = database().another({ onEventFault: (fault) => faults.push(fault) });
      return { adapter, faults };
    };

    it('has numbered each event that was committed before it says that they are settled', async () => {
      const { adapter } = open();
      const { events: reads } = adapter;
      for (let round = 0; round < 5; round++) {
        const before = await reads.settled();
        // The newest event has the earliest time.
        const three = [3, 2, 1].map((minute) => sampleEvent({ createdAt: at(minute) }));
        for (const event of three) await tell(adapter, event);
        adapter.eventLog.enqueue(sampleEvent());
        expect(await reads.settled()).toBe(before + 4);
        await tell(adapter, sampleEvent({ createdAt: at(0) }));
        const page = await walk(reads, PLATFORM, { after: before + 4 });
        expect(page.every(({ sequence }) => sequence > before + 4)).toBe(true);
      }
    });

    it('numbers what was committed 1, 2, 3 …, of one record in the order of its chain, and soon', async () => {
      const { adapter, faults } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const recordId = uuid();
      const chain = [1, 2, 3, 4].map((position) =>
        sampleEvent({ recordId, position, createdAt: at(position >> 1) }),
      );
      await tell(adapter, chain[0]!, chain[1]!);
      await tell(adapter, chain[2]!);
      await tell(adapter, chain[3]!);
      await numbered(reads, first + 4);
      const found = await walk(reads, PLATFORM, { after: first });
      expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4].map((n) => first + n));
      expect(ids(found)).toEqual(ids(chain));
      for (const event of found) expect(event.numberedAt >= event.createdAt).toBe(true);
      const { sequence: _, numberedAt: __, ...event } = found[0]!;
      expect(event).toEqual(chain[0]);
      expect(faults).toEqual([]);
    });

    it('never numbers an event before it was made, nor two in an order that time contradicts', async () => {
      const { adapter } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await tell(adapter, sampleEvent({ createdAt: later }));
      await numbered(reads, first + 1);
      await tell(adapter, sampleEvent());
      await numbered(reads, first + 2);
      const found = await walk(reads, PLATFORM, { after: first });
      expect(found.map(({ numberedAt }) => numberedAt)).toEqual([later, later]);
    });

    it('gives those of some numbers, but none that somebody edited', async () => {
      const { adapter, faults } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const told = [sampleEvent(), sampleEvent(), sampleEvent()];
      await tell(adapter, ...told);
      await numbered(reads, first + 3);
      const asked = [first + 3, first + 1, first + 99];
      const given = await reads.numbered(asked);
      expect(given.map(({ sequence }) => sequence)).toEqual([first + 1, first + 3]);
      expect(await reads.numbered([])).toEqual([]);
      const where = `WHERE id = x'${given[0]!.id.replaceAll('-', '')}'`;
      const [was] = await database().raw(`SELECT data FROM outbox ${where}`);
      await database().raw(`UPDATE outbox SET data = '{"edited":1}' ${where}`);
      expect(ids(await reads.numbered(asked))).toEqual([given[1]!.id]);
      expect(faults).toMatchObject([{ fault: 'row' }]);
      await database().raw(`UPDATE outbox SET data = '${String(was!['data'])}' ${where}`);
    });

    it('gives the events of an org and of an agent to both parties, and to nobody else', async () => {
      const { adapter } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const [org, otherOrg, agent, otherAgent] = [uuid(), uuid(), uuid(), uuid()];
      const both = sampleEvent({
        orgId: org,
        counterpartyOrgId: otherOrg,
        partyAgentId: agent,
        counterpartyAgentId: otherAgent,
      });
      const own = sampleEvent({ orgId: org, partyAgentId: null, agentId: otherAgent });
      const foreign = sampleEvent();
      await tell(adapter, both, own, foreign);
      await numbered(reads, first + 3);
      const of = async (viewer: EventViewer) => ids(await walk(reads, viewer, { limit: 1 }));
      expect(await of({ kind: 'org', orgId: org })).toEqual(ids([both, own]));
      expect(await of({ kind: 'org', orgId: otherOrg })).toEqual(ids([both]));
      expect(await of({ kind: 'agent', agentId: agent })).toEqual(ids([both]));
      expect(await of({ kind: 'agent', agentId: otherAgent })).toEqual(ids([both]));
      expect(await of({ kind: 'agent', agentId: uuid() })).toEqual([]);
      const filter = { recordId: both.recordId! };
      expect(ids(await walk(reads, { kind: 'org', orgId: otherOrg }, { filter }))).toEqual(
        ids([both]),
      );
      const { orgId } = foreign;
      expect(await walk(reads, { kind: 'org', orgId: orgId! }, { filter })).toEqual([]);
    });

    it('filters by type, and goes on behind what it passed over', async () => {
      const { adapter } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const orgId = uuid();
      const viewer: EventViewer = { kind: 'org', orgId };
      const told = Array.from({ length: 9 }, (_, n) =>
        sampleEvent({ orgId, type: n % 3 ? 'record.recorded' : 'record.fulfilled' }),
      );
      await tell(adapter, ...told);
      await numbered(reads, first + 9);
      const filter: EventFilter = { types: ['record.fulfilled'] };
      expect(ids(await walk(reads, viewer, { filter, limit: 2 }))).toEqual(
        ids([told[0]!, told[3]!, told[6]!]),
      );
      expect(await walk(reads, viewer, { filter: { types: [] } })).toEqual([]);
      const page = await reads.after({ viewer, after: 0, limit: 50, filter });
      expect(page).toMatchObject({ through: first + 9, hasMore: false });
    });

    it('takes no number for what was not committed', async () => {
      const { adapter, faults } = open();
      const { events: reads } = adapter;
      const first = await reads.newest();
      const event = sampleEvent();
      await adapter.unitOfWork
        .transaction(async (stores) => {
          await stores.outbox.add(sampleEvent());
          await stores.records.lock(uuid());
          throw new Error('no');
        })
        .catch(() => undefined);
      await tell(adapter, event);
      await expect(tell(adapter, event)).rejects.toThrow();
      await tell(adapter, sampleEvent());
      await numbered(reads, first + 2);
      await sleep(50);
      expect(await reads.newest()).toBe(first + 2);
      expect(await walk(reads)).toHaveLength(first + 2);
      expect(faults).toEqual([]);
    });

    it('tells of numbers of its own as soon as they can be read, and of nothing once that is ended', async () => {
      const { adapter } = open();
      const { events: reads } = adapter;
      const seen: Promise<number>[] = [];
      const end = adapter.eventNotice.onNumbered(() => void seen.push(reads.newest()));
      const first = await reads.newest();
      await tell(adapter, sampleEvent());
      for (let tries = 0; seen.length === 0 && tries < 500; tries++) await sleep(2);
      expect(await seen[0]).toBe(first + 1);
      end();
      await tell(adapter, sampleEvent());
      await numbered(reads, first + 2);
      await sleep(20);
      expect(seen).toHaveLength(1);
    });

    it('a reader that follows two writing processes meets every event once, in the order of the numbers', async () => {
      const { adapter: one, faults } = open();
      const { adapter: two } = open();
      const feed = new EventFeed(one.events, new EventTail(one.events, one.eventNotice));
      const orgId = uuid();
      const ended = new AbortController();
      const met: NumberedEvent[] = [];
      const following = (async () => {
        const viewer: EventViewer = { kind: 'org', orgId };
        for await (const { events } of feed.follow({
          viewer,
          after: 0,
          signal: ended.signal,
          limit: 7,
        }))
          met.push(...events);
      })();
      const records = Array.from({ length: 20 }, () => uuid());
      await Promise.all(
        records.map(async (recordId, n) => {
          for (let position = 1; position <= 6; position++)
            await tell(
              (n + position) % 2 ? one : two,
              sampleEvent({ orgId, recordId, position, createdAt: at(position >> 1) }),
            );
        }),
      );
      for (let tries = 0; met.length < 120 && tries < 300; tries++) await sleep(10);
      await sleep(50);
      ended.abort();
      await following;
      expect(met).toHaveLength(120);
      const numbers = met.map(({ sequence }) => sequence);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      for (const recordId of records)
        expect(
          met.filter((event) => event.recordId === recordId).map(({ position }) => position),
        ).toEqual([1, 2, 3, 4, 5, 6]);
      expect(faults).toEqual([]);
    });
  });

  describe(`edits of numbered events on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const read = (adapter: SqlAdapter) =>
      adapter.events.after({ viewer: PLATFORM, after: 0, limit: 100 });

    /** Five events with their numbers, in a database that holds nothing else, and a process that reads it. */
    const five = async () => {
      await database().raw('DELETE FROM outbox');
      await database().raw('DELETE FROM event_counter');
      const faults: EventFault[] = [];
      const adapter = database().another({ onEventFault: (fault) => faults.push(fault) });
      const events = Array.from({ length: 5 }, () => sampleEvent());
      await tell(adapter, ...events);
      await numbered(adapter.events, 5);
      expect((await read(adapter)).events).toMatchObject(events);
      expect(faults).toEqual([]);
      return { adapter, events, faults };
    };

    const at5 = (events: readonly DomainEvent[], index: number): string =>
      `id = x'${events[index]!.id.replaceAll('-', '')}'`;

    it.each([
      ['its time', 'numbered_at = numbered_at + 1'],
      ['its MAC', "number_mac = x'" + '00'.repeat(32) + "'"],
      ['the key of its MAC', "number_key = x'" + '00'.repeat(8) + "'"],
      ['no MAC at all', 'number_mac = NULL'],
    ])('an event whose number has another value in %s is given to nobody', async (_what, edit) => {
      const { adapter, events, faults } = await five();
      await database().raw(`UPDATE outbox SET ${edit} WHERE ${at5(events, 2)}`);
      const others = events.filter((_event, index) => index !== 2);
      expect((await read(adapter)).events).toMatchObject(others);
      const listing = { viewer: PLATFORM, order: 'asc', recordId: events[2]!.recordId! } as const;
      expect((await adapter.events.list(listing, { limit: 9, after: null })).rows).toEqual([]);
      expect(faults).toContainEqual({ fault: 'number', id: events[2]!.id, sequence: 3 });
    });

    it('two events whose numbers were exchanged are given to nobody', async () => {
      const { adapter, events, faults } = await five();
      for (const [index, sequence] of [
        [1, 99],
        [2, 2],
        [1, 3],
      ] as const)
        await database().raw(
          `UPDATE outbox SET sequence = ${sequence} WHERE ${at5(events, index)}`,
        );
      expect((await read(adapter)).events).toMatchObject([events[0], events[3], events[4]]);
      expect(faults).toHaveLength(2);
    });

    it('numbers that are missing are an alarm, at the end as well', async () => {
      const { adapter, events, faults } = await five();
      await database().raw(`DELETE FROM outbox WHERE ${at5(events, 1)}`);
      await read(adapter);
      expect(faults).toEqual([{ fault: 'hole', after: 1, before: 3 }]);
      faults.length = 0;
      await database().raw(`DELETE FROM outbox WHERE ${at5(events, 4)}`);
      await tell(adapter, sampleEvent());
      await numbered(adapter.events, 6);
      expect(faults).toEqual([{ fault: 'counter', last: 5, newest: 4 }]);
      const found = await read(adapter);
      expect(found.events.map(({ sequence }) => sequence)).toEqual([1, 3, 4, 6]);
    });

    it.each([
      ['was put back', 'UPDATE event_counter SET last = 2'],
      ['was put ahead', 'UPDATE event_counter SET last = 900'],
      ['is gone', 'DELETE FROM event_counter'],
      ['has another MAC', "UPDATE event_counter SET row_mac = x'" + '00'.repeat(32) + "'"],
    ])(
      'a counter that %s is an alarm, and no number is given twice or left out',
      async (_what, edit) => {
        const { adapter, faults } = await five();
        await database().raw(edit);
        await tell(adapter, sampleEvent(), sampleEvent());
        await numbered(adapter.events, 7);
        expect((await read(adapter)).events.map(({ sequence }) => sequence)).toEqual([
          1, 2, 3, 4, 5, 6, 7,
        ]);
        expect(faults.length).toBeGreaterThan(0);
        for (const { fault } of faults) expect(fault).toBe('counter');
        faults.length = 0;
        await tell(adapter, sampleEvent());
        await numbered(adapter.events, 8);
        expect(faults).toEqual([]);
      },
    );

    it('numbers of events that are gone are not given again by the process that gave them, whatever the counter says', async () => {
      const { adapter, faults } = await five();
      const [counter] = await database().raw(
        'SELECT last, numbered_at, HEX(row_mac) AS mac FROM event_counter',
      );
      await tell(adapter, sampleEvent(), sampleEvent());
      await numbered(adapter.events, 7);
      await database().raw('DELETE FROM outbox WHERE sequence > 5');
      await database().raw(
        `UPDATE event_counter SET last = ${String(counter!['last'])}, numbered_at = ${String(counter!['numbered_at'])}, row_mac = x'${String(counter!['mac'])}'`,
      );
      await tell(adapter, sampleEvent());
      await numbered(adapter.events, 8);
      const found = (await read(adapter)).events;
      expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 8]);
      expect(faults).toContainEqual({ fault: 'counter', last: 5, newest: 5 });
      expect(faults).toContainEqual({ fault: 'hole', after: 5, before: 8 });
    });

    it('nor are those of events that were changed, beside a counter that holds no more', async () => {
      const { adapter, faults } = await five();
      await database().raw("UPDATE outbox SET data = '{}' WHERE sequence > 3");
      await database().raw('DELETE FROM event_counter');
      await tell(adapter, sampleEvent());
      await numbered(adapter.events, 6);
      const found = (await read(adapter)).events;
      expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 6]);
      expect(faults).toContainEqual({ fault: 'counter', last: 0, newest: 5 });
    });

    it.each([
      ['next', 6],
      ['far ahead', 2 ** 52],
    ])('a number that was written %s leads no reader past what comes', async (_what, ahead) => {
      const { adapter, events } = await five();
      const feed = new EventFeed(
        adapter.events,
        new EventTail(adapter.events, adapter.eventNotice),
      );
      const ended = new AbortController();
      const met: string[][] = [[], []];
      const follow = async (into: string[], after?: number): Promise<void> => {
        const from = after === undefined ? {} : { after };
        for await (const page of feed.follow({ viewer: PLATFORM, signal: ended.signal, ...from }))
          into.push(...ids(page.events));
      };
      const early = follow(met[0]!, 5);
      await sleep(50);
      await database().raw(`UPDATE outbox SET sequence = ${ahead} WHERE ${at5(events, 0)}`);
      // A look at the numbers of other processes.
      await sleep(300);
      const late = follow(met[1]!);
      await sleep(50);
      const next = [sampleEvent(), sampleEvent()];
      for (const event of next) await tell(adapter, event);
      for (let tries = 0; met.some(({ length }) => length < 2) && tries < 300; tries++)
        await sleep(10);
      ended.abort();
      await Promise.all([early, late]);
      expect(met).toEqual([ids(next), ids(next)]);
    });

    it('a number that was written ahead stands in nobody’s way', async () => {
      const { adapter, events, faults } = await five();
      for (const sequence of [6, 2 ** 52])
        await database().raw(
          `UPDATE outbox SET sequence = ${sequence} WHERE ${at5(events, sequence === 6 ? 0 : 1)}`,
        );
      const next = sampleEvent();
      await tell(adapter, next);
      for (let tries = 0; (await adapter.events.newest()) <= 5 && tries < 200; tries++)
        await sleep(10);
      const found = (await read(adapter)).events;
      expect(found.slice(0, 3)).toMatchObject(events.slice(2));
      expect(found.find(({ id }) => id === next.id)).toBeDefined();
      expect(faults).toContainEqual({ fault: 'number', id: events[0]!.id, sequence: 6 });
      expect(faults).toContainEqual({ fault: 'number', id: events[1]!.id, sequence: 2 ** 52 });
    });

    it('an event whose number was taken away gets no other, and gets its own back', async () => {
      const { adapter, events, faults } = await five();
      await database().raw(`UPDATE outbox SET sequence = NULL WHERE ${at5(events, 3)}`);
      await tell(adapter, sampleEvent());
      await numbered(adapter.events, 6);
      await sleep(50);
      const found = (await read(adapter)).events;
      expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 5, 6]);
      expect(faults).toContainEqual({ fault: 'hole', after: 3, before: 5 });
      await database().raw(`UPDATE outbox SET sequence = 4 WHERE ${at5(events, 3)}`);
      expect((await read(adapter)).events.slice(0, 5)).toMatchObject(events);
    });

    it('an event that somebody else wrote gets no number, with an alarm, and holds up no other', async () => {
      const { adapter, events, faults } = await five();
      const columns = (await database().raw(`SELECT * FROM outbox WHERE ${at5(events, 0)}`))[0]!;
      const names = Object.keys(columns).filter(
        (name) => !['sequence', 'id', 'created_at'].includes(name),
      );
      for (let n = 0; n < 300; n++)
        await database().raw(
          `INSERT INTO outbox (id, created_at, sequence, ${names.join(', ')}) SELECT x'${uuid().replaceAll('-', '')}', 0, NULL, ${names.join(', ')} FROM outbox WHERE ${at5(events, 0)}`,
        );
      faults.length = 0;
      const next = sampleEvent();
      await tell(adapter, next);
      await numbered(adapter.events, 6);
      expect((await read(adapter)).events).toMatchObject([...events, next]);
      if (kind.name === 'mysql')
        expect(faults.filter(({ fault }) => fault === 'row').length).toBeGreaterThanOrEqual(300);
    });
  });
};
