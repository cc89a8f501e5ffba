import { beforeEach, describe, expect, it } from 'vitest';
import type { LaneState } from '../../../domain/federation/lane-store.port.ts';
import { CLOSED_BREAKER } from '../../../domain/federation/peer-breaker.ts';
import type { Stores } from '../../../application/ports/unit-of-work.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, hex, sampleRecord, T0, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/federation/lane-store.port.ts
// Contract of application/federation/lane-notice.port.ts

export const federationLanesSuite = (kind: DatabaseKind): void => {
  describe(`lanes to peers on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const write = <T>(work: (stores: Stores) => Promise<T>): Promise<T> =>
      database().adapter.unitOfWork.transaction(work);
    const reads = () => database().adapter.reads.federationLanes;
    let peer: string;
    beforeEach(() => {
      peer = uuid();
    });

    /** A record with so many messages that wait. */
    const lane = async (messages = 1, queuedAfter = 0): Promise<string> => {
      const record = sampleRecord();
      await write(async (stores) => {
        await stores.records.insert(record);
        for (let sequence = 1; sequence <= messages; sequence++)
          await stores.federation.queue({
            messageId: uuid(),
            recordId: record.id,
            peerHubId: peer,
            sequence,
            route: 'state-transitions',
            body: bytes('body'),
            statementHash: hex('statement'),
            position: sequence,
            queuedAt: at(queuedAfter + sequence),
            former: [],
            answer: null,
          });
      });
      return record.id;
    };
    const due = (now = at(1_000), limit = 10) =>
      write((stores) => stores.federationLanes.due(peer, now, limit));
    const dueIds = async (now?: string) => (await due(now)).map(({ recordId }) => recordId);
    const lease = async (token: string, forMs = 60_000) => {
      const lanes = await due();
      await write((stores) => stores.federationLanes.lease(lanes, token, forMs));
    };
    const state = (recordId: string, changes: Partial<LaneState> = {}): LaneState => ({
      recordId,
      peerHubId: peer,
      failures: { attempts: 0, since: null },
      dueAt: T0,
      stopped: null,
      lastStatus: null,
      lastError: null,
      ...changes,
    });
    const release = (token: string, ...states: readonly LaneState[]) =>
      write((stores) => stores.federationLanes.release(states, token));

    it('are told of once what was queued is committed, until nobody listens', async () => {
      const told: string[] = [];
      const end = database().adapter.laneNotice.onQueued((peerHubId) => told.push(peerHubId));
      await lane(2);
      expect(told).toEqual([peer]);
      await expect(
        write(async (stores) => {
          await stores.federation.silence(uuid());
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      expect(told).toEqual([peer]);
      end();
      await lane(1);
      expect(told).toEqual([peer]);
    });

    it('are due while a message waits, the oldest first, each once', async () => {
      const younger = await lane(3, 100);
      const older = await lane(1, 0);
      expect(await dueIds()).toEqual([older, younger]);
      expect(await due(at(1_000), 1)).toEqual([
        { recordId: older, peerHubId: peer, failures: { attempts: 0, since: null } },
      ]);
      expect(await reads().hasDue(peer, T0)).toBe(true);
      expect(await reads().hasDue(uuid(), T0)).toBe(false);
    });

    it('are held by one token at a time, until the lease ends', async () => {
      const record = await lane();
      const token = uuid();
      await lease(token);
      expect(await dueIds()).toEqual([]);
      expect(await reads().hasDue(peer, at(1_000))).toBe(false);
      expect(await write((stores) => stores.federationLanes.countLeased(peer, uuid()))).toBe(1);
      await release(uuid(), state(record));
      expect(await dueIds()).toEqual([]);
      await release(token, state(record));
      expect(await dueIds()).toEqual([record]);
      await lease(token, -1);
      expect(await dueIds()).toEqual([record]);
      expect(await write((stores) => stores.federationLanes.countLeased(peer, uuid()))).toBe(0);
    });

    it.each([
      ['by another program', 9_007_199_254_740_000],
      ['while the clock was three hours ahead', Date.now() + 10_800_000],
    ])('are not held back by a time that was written %s', async (_by, time) => {
      const record = await lane();
      await lease(uuid());
      expect(await dueIds()).toEqual([]);
      const hex = record.replaceAll('-', '');
      for (const column of ['due_at', 'lease_until'])
        await database().raw(
          `UPDATE federation_lanes SET ${column} = ${time} WHERE record_id = x'${hex}'`,
        );
      expect(await dueIds()).toEqual([record]);
      expect(await reads().hasDue(peer, at(1_000))).toBe(true);
      expect(await write((stores) => stores.federationLanes.countLeased(peer, uuid()))).toBe(0);
    });

    it('renew only what the token holds', async () => {
      await lane();
      const token = uuid();
      await lease(token, 1);
      const renew = (by: string) =>
        write((stores) => stores.federationLanes.renew(peer, by, 60_000));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await renew(uuid());
      expect(await dueIds()).toHaveLength(1);
      await renew(token);
      expect(await dueIds()).toHaveLength(0);
    });

    it('wait after a failure, and keep how often and since when', async () => {
      const record = await lane();
      const token = uuid();
      await lease(token);
      const failures = { attempts: 2, since: at(10) };
      await release(token, state(record, { failures, dueAt: at(5_000) }));
      expect(await dueIds(at(4_999))).toEqual([]);
      expect(await due(at(5_000))).toEqual([{ recordId: record, peerHubId: peer, failures }]);
    });

    it('stand with all their messages in the DLQ, newest first, until they are recovered', async () => {
      const record = await lane(3);
      const other = await lane(1, 50);
      const token = uuid();
      await lease(token);
      const stopped = { reason: 'blocked', at: at(77) } as const;
      const failures = { attempts: 1, since: at(9) };
      const blocked = { failures, stopped, lastStatus: 413, lastError: 'too long' };
      await release(token, state(record, blocked), state(other));
      expect(await dueIds()).toEqual([other]);
      const page = await reads().deadLetters({ peerHubId: peer }, { limit: 2, after: null });
      expect(page).toMatchObject({ total: 3, rows: [{ sequence: 3 }, { sequence: 2 }] });
      expect(page.rows[0]).toEqual({
        id: expect.any(String) as string,
        recordId: record,
        peerHubId: peer,
        sequence: 3,
        route: 'state-transitions',
        reason: 'blocked',
        attempts: 1,
        lastStatus: 413,
        lastError: 'too long',
        queuedAt: at(3),
        stoppedAt: at(77),
      });
      const rest = await reads().deadLetters({ recordId: record }, { limit: 2, after: page.next });
      expect(rest).toMatchObject({ rows: [{ sequence: 1 }], next: null });
      const recover = (filter: object) =>
        write((stores) => stores.federationLanes.recover(filter, at(100)));
      expect(await recover({ peerHubId: uuid() })).toEqual({ recovered: 0, remaining: 0 });
      expect(await recover({ recordId: record })).toEqual({ recovered: 3, remaining: 0 });
      expect(await recover({ recordId: record })).toEqual({ recovered: 0, remaining: 0 });
      expect((await due()).map(({ failures: { attempts } }) => attempts)).toEqual([0, 0]);
    });

    it('stand for good where their peer is revoked, whoever works on them', async () => {
      const record = await lane(2);
      const token = uuid();
      await lease(token);
      await write((stores) => stores.federationLanes.stopAll(peer, 'peer_revoked', at(5)));
      await release(token, state(record));
      const { rows } = await reads().deadLetters({ peerHubId: peer }, { limit: 9, after: null });
      expect(rows.map(({ reason }) => reason)).toEqual(['peer_revoked', 'peer_revoked']);
      expect(
        await write((stores) => stores.federationLanes.recover({ peerHubId: peer }, at(9))),
      ).toEqual({ recovered: 0, remaining: 2 });
      expect(await dueIds()).toEqual([]);
    });

    it('have nothing to send once every message is answered or silenced', async () => {
      const record = await lane(2);
      await write(async (stores) => {
        const first = await stores.federation.outgoing(record, 1);
        await stores.federation.answered(first!.messageId, {
          outcome: 'applied',
          attestation: bytes('attestation'),
          answeredAt: at(3),
        });
      });
      expect(await dueIds()).toEqual([record]);
      await write((stores) => stores.federation.silence(record));
      expect(await dueIds()).toEqual([]);
    });

    it('share the breaker of their peer', async () => {
      const open = { consecutiveFailures: 10, openedAt: at(1), probeAt: at(60_001) };
      await write(async (stores) => {
        const { consecutiveFailures, openedAt, probeAt } =
          await stores.federationLanes.lockPeer(peer);
        expect({ consecutiveFailures, openedAt, probeAt }).toEqual(CLOSED_BREAKER);
        await stores.federationLanes.saveBreaker(peer, open);
      });
      expect((await reads().breakers()).get(peer)).toMatchObject(open);
      await write((stores) => stores.federationLanes.saveBreaker(peer, CLOSED_BREAKER));
      expect((await reads().breakers()).has(peer)).toBe(false);
    });
  });
};
