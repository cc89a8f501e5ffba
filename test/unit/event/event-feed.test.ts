import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EventFeed, type Following } from '../../../application/event/event-feed.ts';
import { EventTail } from '../../../application/event/event-tail.ts';
import type { EventPage, EventViewer } from '../../../domain/event/event-reads.port.ts';
import type { SqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import { databases } from '../../support/databases/databases.ts';
import { sampleEvent, uuid } from '../../contract/sql/samples.ts';

const sqlite = databases().find(({ name }) => name === 'sqlite')!;

/** Long enough for any machine. */
const SOON = { timeout: 60_000 };
/** An interval of polls that no test waits for, ms. */
const NEVER_MS = 3_600_000;

/** A feed over a database, with a count of what it reads. */
const opened = async (everyMs?: number) => {
  const database = await sqlite.open();
  const { adapter } = database;
  const counts = { pages: 0, looks: 0 };
  const reads: SqlAdapter['events'] = {
    newest: () => adapter.events.newest(),
    settled: () => adapter.events.settled(),
    numbered: (...given) => adapter.events.numbered(...given),
    list: (...given) => adapter.events.list(...given),
    after: (range) => (counts.pages++, adapter.events.after(range)),
    routes: (...given) => (counts.looks++, adapter.events.routes(...given)),
  };
  const tail = new EventTail(reads, adapter.eventNotice, undefined, everyMs);
  return { database, adapter, counts, tail, feed: new EventFeed(reads, tail) };
};

const tell = (adapter: SqlAdapter, orgId: string, count = 1): Promise<void> =>
  adapter.unitOfWork.transaction(async ({ outbox }) => {
    for (let n = 0; n < count; n++) await outbox.add(sampleEvent({ orgId }));
  });

/** Follows in the background. */
const follow = (feed: EventFeed, given: Omit<Following, 'signal'>) => {
  const ended = new AbortController();
  const pages: EventPage[] = [];
  const done = (async () => {
    for await (const page of feed.follow({ ...given, signal: ended.signal })) pages.push(page);
  })();
  return {
    pages,
    sequences: () => pages.flatMap(({ events }) => events.map(({ sequence }) => sequence)),
    end: () => {
      ended.abort();
      return done;
    },
  };
};

const org = (orgId: string): EventViewer => ({ kind: 'org', orgId });

it('gives what is there and then what comes without a poll, and ends when it is told to', async () => {
  const { database, adapter, feed, tail } = await opened(NEVER_MS);
  const orgId = uuid();
  await tell(adapter, orgId, 3);
  const all = follow(feed, { viewer: org(orgId), after: 0, limit: 2 });
  const fresh = follow(feed, { viewer: org(orgId) });
  await expect.poll(() => all.sequences(), SOON).toEqual([1, 2, 3]);
  await tell(adapter, orgId);
  await expect.poll(() => fresh.sequences(), SOON).toEqual([4]);
  await expect.poll(() => all.sequences(), SOON).toEqual([1, 2, 3, 4]);
  await Promise.all([all.end(), fresh.end()]);
  expect(tail.size).toBe(0);
  await database.drop();
});

it('learns of events of another process by looking', async () => {
  const { database, feed } = await opened();
  const orgId = uuid();
  const reader = follow(feed, { viewer: org(orgId) });
  await sleep(20);
  await tell(database.another(), orgId);
  await expect.poll(() => reader.sequences(), SOON).toEqual([1]);
  await reader.end();
  await database.drop();
});

it('a thousand readers that wait cost one look now and then, and an event wakes those whom it concerns', async () => {
  const { database, adapter, counts, feed } = await opened(50);
  const orgs = Array.from({ length: 1_000 }, () => uuid());
  const readers = orgs.map((orgId) => follow(feed, { viewer: org(orgId) }));
  await sleep(200);
  counts.pages = 0;
  counts.looks = 0;
  await sleep(300);
  expect(counts.pages).toBe(0);
  expect(counts.looks).toBeLessThanOrEqual(7);
  await tell(adapter, orgs[7]!);
  await expect.poll(() => counts.pages, SOON).toBe(1);
  expect(readers.map(({ pages }) => pages.length).filter((count) => count > 0)).toEqual([1]);
  await Promise.all(readers.map((reader) => reader.end()));
  counts.looks = 0;
  await sleep(150);
  expect(counts.looks).toBe(0);
  await database.drop();
});

it('a slow reader reads no further than it asked for, and misses nothing', async () => {
  const { database, adapter, counts, feed } = await opened();
  const orgId = uuid();
  const ended = new AbortController();
  const pages = feed.follow({ viewer: org(orgId), after: 0, limit: 10, signal: ended.signal });
  await tell(adapter, orgId, 15);
  const first = await pages.next();
  for (let n = 0; n < 20; n++) await tell(adapter, orgId, 5);
  await sleep(50);
  expect(counts.pages).toBe(1);
  const met = [...(first.value as EventPage).events];
  while (met.length < 115) met.push(...((await pages.next()).value as EventPage).events);
  expect(met.map(({ sequence }) => sequence)).toEqual(met.map((_event, at) => at + 1));
  const last = pages.next();
  ended.abort();
  expect(await last).toEqual({ done: true, value: undefined });
  await database.drop();
});

it('a reader of one record is woken by its events alone', async () => {
  const { database, adapter, counts, feed } = await opened();
  const [orgId, recordId] = [uuid(), uuid()];
  const reader = follow(feed, { viewer: org(orgId), filter: { recordId } });
  await sleep(20);
  counts.pages = 0;
  await tell(adapter, orgId, 20);
  await sleep(50);
  expect(counts.pages).toBe(0);
  await adapter.unitOfWork.transaction(({ outbox }) =>
    outbox.add(sampleEvent({ orgId, recordId })),
  );
  await expect.poll(() => reader.sequences(), SOON).toEqual([21]);
  await reader.end();
  await database.drop();
});
