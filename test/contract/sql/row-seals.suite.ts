import { describe, expect, it } from 'vitest';
import type { RowVersions } from '../../../application/sealing/row-versions.port.ts';
import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleAgent, sampleEvent, sampleOrg, uuid } from './samples.ts';
import { numbered, useDatabase } from './suite.ts';

const hex = (id: string): string => `X'${id.replaceAll('-', '')}'`;
const DRIFT = { code: 'CONFLICT', members: { reason: 'payload_drift' } };

/** Rows under a MAC, as every reader and every unit of work sees them. */
const PLATFORM = { kind: 'platform' } as const;

export const rowSealsSuite = (kind: DatabaseKind): void => {
  describe(`rows under a MAC on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const watched = () => {
      const alarms: unknown[] = [];
      return { alarms, adapter: database().another({ onAlarm: (fields) => alarms.push(fields) }) };
    };
    const agentIn = async (adapter = database().adapter) => {
      const org = sampleOrg();
      const agent = sampleAgent(org.id);
      await adapter.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
      });
      return agent;
    };

    it('an edited row is refused by every reader, with an alarm, and is not sealed anew', async () => {
      const { alarms, adapter } = watched();
      const agent = await agentIn(adapter);
      await database().raw(`UPDATE agents SET name = 'other' WHERE id = ${hex(agent.id)}`);
      const { unitOfWork, reads } = adapter;
      for (const read of [
        () => reads.agents.find(agent.id),
        () => reads.agents.list({ orgId: agent.orgId }, { limit: 5, after: null }),
        () => unitOfWork.transaction((stores) => stores.agents.find(agent.id)),
        () => unitOfWork.transaction((stores) => stores.agents.lock(agent.id)),
        () => unitOfWork.transaction((stores) => stores.agents.update({ ...agent, version: 2 })),
      ])
        await expect(read()).rejects.toMatchObject(DRIFT);
      expect(alarms).toEqual(Array(5).fill({ alarm: 'row_mac', table: 'agents', id: agent.id }));
      await database().raw(`UPDATE agents SET name = '${agent.name}' WHERE id = ${hex(agent.id)}`);
      expect(await reads.agents.find(agent.id)).toEqual(agent);
    });

    it('a row of another version than the newest sealed one is refused, warm and inside a unit of work', async () => {
      const { alarms, adapter } = watched();
      const agent = await agentIn(adapter);
      let sealed = 1;
      const versionOf = (id: string): number => (id === agent.id ? sealed : 1);
      const versions: RowVersions = {
        recent: () => Promise.resolve(versionOf),
        now: () => Promise.resolve(versionOf),
        within: () => Promise.resolve(versionOf),
      };
      adapter.followVersions(versions);
      expect(await adapter.reads.agents.find(agent.id)).toEqual(agent);
      sealed = 2;
      await expect(adapter.reads.agents.find(agent.id)).rejects.toMatchObject(DRIFT);
      await expect(
        adapter.unitOfWork.transaction((stores) => stores.agents.lock(agent.id)),
      ).rejects.toMatchObject(DRIFT);
      expect(alarms).toEqual(
        Array(2).fill({ alarm: 'row_version', table: 'agents', id: agent.id }),
      );
    });

    it('a unit of work looks once at what nobody else can add to meanwhile, and again where a row is of another version', async () => {
      const { adapter } = watched();
      const agent = await agentIn(adapter);
      const other = await agentIn(adapter);
      let sealed = 1;
      let looks = 0;
      const versionOf = (version: number) => (id: string) => (id === agent.id ? version : 1);
      adapter.followVersions({
        recent: () => Promise.resolve(versionOf(sealed)),
        now: () => Promise.resolve(versionOf(sealed)),
        within: () => Promise.resolve((looks++, versionOf(sealed))),
      });
      const looksOf = async (work: () => Promise<unknown>): Promise<number> => {
        const before = looks;
        await work();
        return looks - before;
      };
      await adapter.unitOfWork.transaction(async (stores) => {
        await stores.agents.lock(agent.id);
        const again = await looksOf(() => stores.agents.lock(other.id));
        expect(again).toBe(kind.name === 'sqlite' ? 0 : 1);
        await stores.agents.update({ ...agent, version: 2 });
        sealed = 2;
        expect(await looksOf(() => stores.agents.lock(agent.id))).toBe(1);
      });
      for (const differing of [1, 3]) {
        sealed = differing;
        await expect(
          adapter.unitOfWork.transaction(async (stores) => {
            await stores.agents.lock(other.id);
            await stores.agents.lock(agent.id);
          }),
        ).rejects.toMatchObject(DRIFT);
      }
    });

    it('a row that was read before its change became known is read again, and raises no alarm', async () => {
      const { alarms, adapter } = watched();
      const agent = await agentIn(adapter);
      const changed = { ...agent, deactivatedAt: at(5), version: 2 };
      let sealed = 1;
      const versionOf = (id: string): number => (id === agent.id ? sealed : 1);
      // Another node commits the change between the read of the row and that of the chain.
      let isChanged = false;
      adapter.followVersions({
        recent: async () => {
          if (!isChanged)
            await database().adapter.unitOfWork.transaction((stores) =>
              stores.agents.update(changed),
            );
          isChanged = true;
          sealed = 2;
          return versionOf;
        },
        now: () => Promise.resolve(versionOf),
        within: () => Promise.resolve(versionOf),
      });
      expect(await adapter.reads.agents.find(agent.id)).toEqual(changed);
      expect(alarms).toEqual([]);
    });
  });

  describe(`the secrets of rows on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('a row moves to the newest, and the older one can be dropped; an edited row does not move', async () => {
      const [old, current] = rowKeysOf([1, 2].map((byte) => new Uint8Array(32).fill(byte)));
      const before = database().another({ rowKeys: [old!] });
      const org = sampleOrg();
      const agents = Array.from({ length: 450 }, () => sampleAgent(org.id));
      const event = sampleEvent();
      await before.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const agent of agents) await stores.agents.insert(agent);
        await stores.outbox.add(event);
      });
      await numbered(before.events, 1);
      const edited = agents[7]!;
      await database().raw(`UPDATE agents SET name = 'other' WHERE id = ${hex(edited.id)}`);
      const during = database().another({ rowKeys: [current!, old!] });
      // An org, the agents but one, an event, its number, and the counter of numbers.
      expect(await during.moveRowsToNewestKey()).toBe(453);
      expect(await during.moveRowsToNewestKey()).toBe(0);
      const after = database().another({ rowKeys: [current!] });
      expect(await after.reads.orgs.find(org.id)).toEqual(org);
      expect(await after.reads.agents.find(agents[449]!.id)).toEqual(agents[449]);
      const { events } = await after.events.after({ viewer: PLATFORM, after: 0, limit: 9 });
      expect(events).toMatchObject([event]);
      await expect(during.reads.agents.find(edited.id)).rejects.toMatchObject(DRIFT);
    });
  });

  describe(`events under a MAC on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('are given out as they were sealed; an edited one is held back with an alarm, and holds up no other', async () => {
      const alarms: unknown[] = [];
      const adapter = database().another({ onEventFault: (fault) => alarms.push(fault) });
      const events = Array.from({ length: 8 }, () =>
        sampleEvent({ counterpartyOrgId: uuid(), createdAt: at(3) }),
      );
      await adapter.unitOfWork.transaction(async (stores) => {
        for (const event of events) await stores.outbox.add(event);
      });
      const ids = events.map(({ id }) => id);
      await numbered(adapter.events, 8);
      const read = () => adapter.events.after({ viewer: PLATFORM, after: 0, limit: 20 });
      expect((await read()).events).toMatchObject(events);
      const edits = [
        "data = '{}'",
        `org_id = ${hex(uuid())}`,
        'counterparty_org_id = NULL',
        `agent_id = ${hex(uuid())}`,
        "type = 'record.failed'",
        'created_at = created_at + 1',
        `record_id = ${hex(uuid())}, record_type = 'x'`,
      ];
      for (const [n, edit] of edits.entries())
        await database().raw(`UPDATE outbox SET ${edit} WHERE id = ${hex(ids[n]!)}`);
      expect((await read()).events).toMatchObject([events[7]]);
      expect(alarms).toEqual(
        ids.slice(0, 7).map((id, n) => ({ fault: 'row', id, sequence: n + 1 })),
      );
    });
  });
};
