import { describe, expect, it } from 'vitest';
import type { EventFault } from '../../../application/event/event-fault.ts';
import type { EventType } from '../../../domain/event/event-types.ts';
import type { EventViewer } from '../../../domain/event/event-reads.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { sampleEvent, uuid } from './samples.ts';
import { numbered, useDatabase } from './suite.ts';

const DAY_MS = 86_400_000;

export const forgetEventsSuite = (kind: DatabaseKind): void => {
  describe(`old refusals and uses on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const open = (days: number) => {
      const faults: EventFault[] = [];
      const adapter = database().another({
        onEventFault: (fault) => faults.push(fault),
        now: () => new Date(Date.now() + days * DAY_MS),
      });
      return { adapter, faults };
    };

    it('lose their data after 90 days, and leave no hole, no alarm and no trace of whom they were about', async () => {
      const { adapter, faults } = open(91);
      const [orgId, agentId] = [uuid(), uuid()];
      const about = { recordId: null, recordType: null, position: null };
      const at = {
        createdAt: new Date().toISOString(),
        orgId,
        partyAgentId: agentId,
        agentId,
        ...about,
      };
      const told = [
        sampleEvent({ ...at, type: 'auth.refused', data: { addressBlock: '203.0.113.0/24' } }),
        sampleEvent({ ...at, type: 'agent.created', data: { agentId } }),
        sampleEvent({ ...at, type: 'key.used', data: { address: '203.0.113.9' } }),
        sampleEvent({ ...at, type: 'auth.refused', data: { addressBlock: 'edited' } }),
      ];
      for (const event of told)
        await adapter.unitOfWork.transaction(({ outbox }) => outbox.add(event));
      await numbered(adapter.events, 4);
      const hex = (id: string): string => `x'${id.replaceAll('-', '')}'`;
      const before = await rows();
      await database().raw(
        `UPDATE outbox SET data = '{"addressBlock":"other"}' WHERE id = ${hex(told[3]!.id)}`,
      );
      const young = open(89).adapter.forgetEvents;
      expect(await young.isNeeded()).toBe(false);
      expect(await young.run()).toBe(0);
      expect(await adapter.forgetEvents.isNeeded()).toBe(true);
      expect(await adapter.forgetEvents.run()).toBe(2);
      expect(await adapter.forgetEvents.isNeeded()).toBe(false);
      expect(await adapter.forgetEvents.run()).toBe(0);

      const after = await rows();
      for (const n of [0, 2]) {
        expect(after[n]).toEqual({ ...before[n], type: 'forgotten', data: '{}', who: null });
      }
      expect(after[1]).toEqual(before[1]);
      const viewers: readonly EventViewer[] = [
        { kind: 'platform' },
        { kind: 'org', orgId },
        { kind: 'agent', agentId },
      ];
      for (const viewer of viewers) {
        const page = await adapter.events.after({ viewer, after: 0, limit: 10 });
        expect(page.events.map(({ id }) => id)).toEqual([told[1]!.id]);
        expect(page.through).toBe(3);
        const listed = await adapter.events.list(
          { viewer, order: 'desc' },
          { limit: 10, after: null },
        );
        // The edited one is left out with an alarm, and counts.
        expect(listed.rows.map(({ id }) => id)).toEqual([told[1]!.id]);
        expect(listed.total).toBe(2);
      }
      expect(await adapter.events.numbered([1, 2, 3])).toMatchObject([{ id: told[1]!.id }]);
      expect(await adapter.events.newest()).toBe(3);
      expect(new Set(faults.map((fault) => JSON.stringify(fault)))).toEqual(
        new Set([JSON.stringify({ fault: 'row', id: told[3]!.id, sequence: 4 })]),
      );
    });

    it('that somebody makes look forgotten are an alarm', async () => {
      const { adapter, faults } = open(0);
      const event = sampleEvent({ createdAt: new Date().toISOString() });
      await adapter.unitOfWork.transaction(({ outbox }) => outbox.add(event));
      await numbered(adapter.events, 5);
      await database().raw("UPDATE outbox SET type = 'forgotten', data = '{}' WHERE sequence = 5");
      expect(await adapter.events.numbered([5])).toEqual([]);
      expect(faults).toContainEqual({ fault: 'row', id: event.id, sequence: 5 });
    });

    it('are forgotten beside an event with a number that no event can have', async () => {
      const { adapter } = open(91);
      const events = ['key.used', 'agent.created'].map((type) =>
        sampleEvent({ type: type as EventType, createdAt: new Date().toISOString() }),
      );
      for (const event of events)
        await adapter.unitOfWork.transaction(({ outbox }) => outbox.add(event));
      await numbered(adapter.events, 7);
      const hex = `x'${events[1]!.id.replaceAll('-', '')}'`;
      await database().raw(`UPDATE outbox SET sequence = 9007199254740993 WHERE id = ${hex}`);
      expect(await adapter.forgetEvents.run()).toBe(1);
      expect(await adapter.forgetEvents.isNeeded()).toBe(false);
    });

    const rows = () =>
      database().raw(
        'SELECT id, sequence, numbered_at, number_mac, type, data, created_at, COALESCE(org_id, party_agent_id, agent_id) AS who FROM outbox ORDER BY sequence',
      );
  });
};
