import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SqlAdapter } from '../../../adapters/sql/sql-adapter.ts';
import type { EventViewer } from '../../../domain/event/event-reads.port.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';
import type { Keyset } from '../../../domain/kernel/page.ts';
import { sampleEvent } from '../../contract/sql/samples.ts';
import { numbered, useDatabase } from '../../contract/sql/suite.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { editsItsVault } from '../../support/service/genuine-vault.ts';

editsItsVault(import.meta.filename);

// Somebody with the password of the database writes values into the outbox that the service never would.

const PLATFORM: EventViewer = { kind: 'platform' };
/** The ends of a BIGINT, and what a double does not hold. */
const NUMBERS = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-1', '0'];
const TEXTS = ["''", "'null'", "'['"];
const BYTES = ["x''", "x'00'", `x'${'ff'.repeat(16)}'`, `x'${'ff'.repeat(64)}'`];

/** By column: what is written there. SQLite takes any of them anywhere, MySQL what fits. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sequence: [...NUMBERS, 'NULL', ...TEXTS, ...BYTES, '1.5', '9e999', '-9e999'],
  numbered_at: [...NUMBERS, 'NULL', ...TEXTS, ...BYTES, '9e999'],
  number_key: [...BYTES, 'NULL', '1', ...TEXTS],
  number_mac: [...BYTES, 'NULL', '1', ...TEXTS],
  created_at: [...NUMBERS, ...TEXTS, ...BYTES, '9e999'],
  position: [...NUMBERS, 'NULL', ...TEXTS, ...BYTES],
  data: [...TEXTS, ...BYTES, '1', "'{}'"],
  type: [...TEXTS, ...BYTES, '1'],
  org_id: [...BYTES, 'NULL', '1', ...TEXTS],
  id: [...BYTES, '1', ...TEXTS],
  row_mac: [...BYTES, '1', ...TEXTS],
};

/** Pages of a walk over less than ten events. */
const MANY = 50;

const walk = async (
  { events }: SqlAdapter,
  viewer: EventViewer = PLATFORM,
): Promise<readonly DomainEvent[]> => {
  const all: DomainEvent[] = [];
  for (let pages = 0, from = 0; ; pages++) {
    if (pages > MANY) throw new Error('the walk does not end');
    const page = await events.after({ viewer, after: from, limit: 3 });
    all.push(...page.events);
    from = page.through;
    if (!page.hasMore) return all;
  }
};

const listed = async (
  { events }: SqlAdapter,
  order: 'asc' | 'desc',
): Promise<readonly DomainEvent[]> => {
  const all: DomainEvent[] = [];
  let after: Keyset | null = null;
  for (let pages = 0; ; pages++) {
    if (pages > MANY) throw new Error('the listing does not end');
    const page: Awaited<ReturnType<typeof events.list>> = await events.list(
      { viewer: PLATFORM, order },
      { limit: 3, after },
    );
    all.push(...page.rows);
    after = page.next;
    if (!after) return all;
  }
};

describe.each(quickDatabases())(
  'values in the outbox that the service never writes, $name',
  (kind) => {
    const database = useDatabase(kind);

    const tell = (adapter: SqlAdapter, ...events: readonly DomainEvent[]): Promise<void> =>
      adapter.unitOfWork.transaction(async ({ outbox }) => {
        for (const event of events) await outbox.add(event);
      });
    const recent = (): DomainEvent => sampleEvent({ createdAt: new Date().toISOString() });

    /** Seven events, of which the fourth is edited. */
    const attacked = async (column: string, value: string): Promise<void> => {
      await database().raw('DELETE FROM outbox');
      await database().raw('DELETE FROM event_counter');
      const before = database().another();
      await tell(before, ...Array.from({ length: 7 }, recent));
      await numbered(before.events, 7);
      const others = (await walk(before)).filter((_, at) => at !== 3).map(({ id }) => id);
      const { orgId } = (await walk(before))[0]!;
      await before.close();
      try {
        await database().raw(`UPDATE outbox SET ${column} = ${value} WHERE sequence = 4`);
      } catch {
        return; // The database does not take it.
      }
      const adapter = database().another();
      const ofOthers = (events: readonly DomainEvent[]): readonly string[] =>
        events.map(({ id }) => id).filter((id) => others.includes(id));
      expect(ofOthers(await walk(adapter))).toEqual(others);
      expect(ofOthers(await listed(adapter, 'asc'))).toEqual(others);
      expect(ofOthers(await listed(adapter, 'desc'))).toEqual(others.toReversed());
      expect(await walk(adapter, { kind: 'org', orgId: orgId! })).toMatchObject([{ orgId }]);
      const since = new Date(Date.now() - 60_000).toISOString();
      expect(await adapter.eventPlaces.before(since)).toBe(0);
      await adapter.eventPlaces.longestWait();
      await adapter.events.routes(0, 500);
      const next = recent();
      await tell(adapter, next);
      for (let tries = 0; !(await walk(adapter)).some(({ id }) => id === next.id); tries++) {
        expect(tries, 'the next event is given out').toBeLessThan(200);
        await sleep(10);
      }
      await adapter.close();
    };

    it.each(Object.entries(COLUMNS))(
      '%s: every other event is given out, and so are those that follow',
      async (column, values) => {
        const wrong: string[] = [];
        for (const value of values)
          await attacked(column, value).catch((error: unknown) => {
            wrong.push(`${column} = ${value}: ${String(error).split('\n')[0]!}`);
          });
        expect(wrong).toEqual([]);
      },
    );
  },
);
