import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EgressFailed } from '../../application/ports/egress-post.port.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { answerOf, applied, LaneRig } from '../support/hubs/lane-rig.ts';

const until = async (met: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> => {
  for (const end = performance.now() + withinMs; !(await met()); await sleep(10))
    if (performance.now() > end) throw new Error('it did not come to pass');
};

describe.each(databases())('the work on lanes on $name', (kind) => {
  let database: TestDatabase;
  let rig: LaneRig;
  beforeAll(async () => {
    database = await kind.open();
  });
  beforeEach(() => {
    rig = new LaneRig(database);
  });
  afterEach(async () => {
    await rig.stop();
    expect(rig.faults).toEqual([]);
  });
  afterAll(() => database.drop());

  const of = (recordId: string) =>
    rig.sent.filter((sent) => sent.recordId === recordId).map(({ sequence }) => sequence);
  const dlq = async (recordId: string) => {
    const { federationLanes } = database.adapter.reads;
    return (await federationLanes.deadLetters({ recordId }, { limit: 50, after: null })).rows;
  };
  /** Whether a message is not answered, or its lane not given back. */
  const waits = async (peerHubId: string): Promise<boolean> => {
    const peer = `peer_hub_id = x'${peerHubId.replaceAll('-', '')}'`;
    const rows = await database.raw(
      `SELECT 1 FROM federation_outgoing WHERE in_lane = 'waits' AND ${peer} UNION ALL SELECT 1 FROM federation_lanes WHERE ${peer}`,
    );
    return rows.length > 0;
  };
  const idBytes = (id: string): string => `x'${id.replaceAll('-', '')}'`;
  /** Until so many failures of its message are stored: what falls due then does so from a time that is known. */
  const failed = (recordId: string, attempts: number): Promise<void> =>
    until(async () => {
      const rows = await database.raw(
        `SELECT 1 FROM federation_lanes WHERE record_id = ${idBytes(recordId)} AND attempts = ${attempts} AND lease_until = 0`,
      );
      return rows.length > 0;
    });
  /** Until the outcome of all that left for a peer is stored. */
  const settled = (peerHubId: string): Promise<void> =>
    until(async () => {
      const rows = await database.raw(
        `SELECT 1 FROM federation_lanes WHERE lease_until > 0 AND peer_hub_id = ${idBytes(peerHubId)}`,
      );
      return rows.length === 0;
    });

  it('sends each lane in order, each message once', async () => {
    const peer = rig.peer();
    const records = [await rig.queue(peer, 4), await rig.queue(peer, 3)];
    rig.start();
    await until(() => rig.sent.length >= 7);
    await until(async () => !(await waits(peer)));
    expect(records.map(of)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ]);
  });

  it('makes the first attempt at once, not at the next look', async () => {
    const peer = rig.peer();
    // It looks once, and no second time: only by the notice can it know of what is queued after the first record.
    const every = vi
      .spyOn(globalThis, 'setInterval')
      .mockImplementationOnce(() => setTimeout(() => undefined, 0));
    rig.start();
    every.mockRestore();
    for (let round = 0; round < 3; round++) {
      const record = await rig.queue(peer);
      await until(() => of(record).length > 0);
      await until(async () => !(await waits(peer)));
    }
  });

  it('has eight requests to a peer at once, over all nodes', async () => {
    const peer = rig.peer();
    // The first eight wait for each other, so that they are under way together on a slow machine as well.
    rig.behave = async () => {
      await until(() => rig.sent.length >= 8);
      await sleep(60);
      return applied();
    };
    for (let lane = 0; lane < 30; lane++) await rig.queue(peer);
    rig.start();
    rig.start();
    await until(() => rig.sent.length >= 30);
    await until(async () => !(await waits(peer)));
    expect(rig.most).toBe(8);
    expect(rig.sent).toHaveLength(30);
  });

  it('gives out many lanes and takes many back in one transaction', async () => {
    const peer = rig.peer();
    rig.behave = async () => {
      await sleep(5);
      return applied();
    };
    for (let lane = 0; lane < 64; lane++) await rig.queue(peer);
    rig.start();
    await until(() => rig.sent.length >= 64);
    await until(async () => !(await waits(peer)));
    expect(rig.sent).toHaveLength(64);
    // One for each lane would be 64 and more. A slow machine renews leases meanwhile.
    expect(rig.exchanges).toBeLessThan(48);
  });

  it('leaves lanes that were taken and did not begin to another node when it stops', async () => {
    const peer = rig.peer();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    rig.behave = async () => {
      await opened;
      return applied();
    };
    for (let lane = 0; lane < 30; lane++) await rig.queue(peer);
    const first = rig.start();
    await until(() => rig.sent.length === 8);
    const stopped = first.stop();
    open();
    await stopped;
    expect(rig.sent).toHaveLength(8);
    const leased = await database.raw(
      `SELECT 1 FROM federation_lanes WHERE lease_until > 0 AND peer_hub_id = x'${peer.replaceAll('-', '')}'`,
    );
    expect(leased).toEqual([]);
    rig.start();
    await until(() => rig.sent.length === 30);
    await until(async () => !(await waits(peer)));
    expect(new Set(rig.sent.map(({ recordId }) => recordId)).size).toBe(30);
  });

  it('begins no lane that it has taken once the peer is away', async () => {
    const peer = rig.peer();
    rig.behave = async () => {
      await sleep(20);
      throw new EgressFailed('no answer');
    };
    for (let lane = 0; lane < 64; lane++) await rig.queue(peer);
    rig.start();
    await until(() => rig.sent.length >= 8);
    await sleep(600);
    // Those that left before the breaker opened, and the places that became free meanwhile.
    expect(rig.sent.length).toBeLessThan(32);
  });

  it('lets no peer wait for another one', async () => {
    const [dead, alive] = [rig.peer(), rig.peer()];
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    rig.behave = async ({ peerHubId }) => {
      if (peerHubId === dead) await opened;
      return applied();
    };
    for (let lane = 0; lane < 12; lane++) await rig.queue(dead);
    rig.start();
    try {
      await until(() => rig.sent.length === 8);
      const record = await rig.queue(alive, 3);
      await until(() => of(record).length === 3);
      expect(rig.sent.filter(({ peerHubId }) => peerHubId === dead)).toHaveLength(8);
    } finally {
      open();
    }
  });

  it('waits after a failure, and goes on from the same message when the time has come', async () => {
    const peer = rig.peer();
    rig.behave = () => {
      throw new EgressFailed('no answer');
    };
    const record = await rig.queue(peer, 2);
    rig.start();
    await failed(record, 1);
    rig.now += 4_999;
    await sleep(400);
    expect(of(record)).toEqual([1]);
    rig.behave = () => applied();
    rig.now += 1;
    await until(() => rig.sent.length === 3);
    expect(of(record)).toEqual([1, 1, 2]);
  });

  it('stops a lane at a refusal without an attestation, and recovers it from its lowest message', async () => {
    const peer = rig.peer();
    rig.behave = () => answerOf(422, { detail: 'It is not a message.' });
    const record = await rig.queue(peer, 3);
    rig.start();
    await until(async () => (await dlq(record)).length === 3);
    rig.now += 30 * 24 * 3_600_000;
    await sleep(400);
    expect(of(record)).toEqual([1]);
    expect((await dlq(record)).map(({ sequence, reason }) => [sequence, reason])).toEqual([
      [3, 'blocked'],
      [2, 'blocked'],
      [1, 'blocked'],
    ]);
    expect((await dlq(record))[0]).toMatchObject({
      lastStatus: 422,
      lastError: 'It is not a message.',
    });
    rig.behave = () => applied();
    await database.adapter.unitOfWork.transaction((stores) =>
      stores.federationLanes.recover({ recordId: record }, new Date(0).toISOString()),
    );
    await until(() => rig.sent.length === 4);
    expect(of(record)).toEqual([1, 1, 2, 3]);
  });

  it('does not count an answer whose attestation does not verify', async () => {
    const peer = rig.peer();
    rig.behave = () => applied({ attestation: 'eA==' });
    const record = await rig.queue(peer);
    rig.start();
    await failed(record, 1);
    rig.behave = () => applied();
    rig.now += 5_000;
    await until(async () => !(await waits(peer)));
    expect(of(record)).toEqual([1, 1]);
  });

  it('counts an answer that cannot be taken here as a failure, and says so in the log', async () => {
    const peer = rig.peer();
    rig.onTaken = () => {
      throw new Error('Data too long for column');
    };
    const record = await rig.queue(peer);
    rig.start();
    const attempted = async (attempts: number) => {
      await until(async () => {
        const [lane] = await database.raw(
          `SELECT attempts, last_error FROM federation_lanes WHERE record_id = x'${record.replaceAll('-', '')}' AND attempts = ${attempts}`,
        );
        return lane !== undefined && !String(lane['last_error']).includes('column');
      });
      expect(rig.faults.splice(0)).toEqual([
        'the answer of a peer could not be taken; it is asked again',
      ]);
    };
    await attempted(1);
    // It waits like any other.
    await sleep(600);
    expect(of(record)).toEqual([1]);
    rig.now += 6_000;
    await attempted(2);
    const breakers = await database.adapter.reads.federationLanes.breakers();
    expect(breakers.get(peer)?.consecutiveFailures).toBe(2);
    rig.onTaken = () => undefined;
    rig.now += 16_000;
    await until(async () => !(await waits(peer)));
    expect(of(record)).toEqual([1, 1, 1]);
  });

  it('keeps the beginning of a long fault', async () => {
    const peer = rig.peer();
    rig.fault = 'x'.repeat(100_000);
    rig.behave = () => applied({ attestation: 'YmFk' });
    const record = await rig.queue(peer);
    rig.start();
    await until(async () => {
      const [lane] = await database.raw(
        `SELECT last_error FROM federation_lanes WHERE record_id = x'${record.replaceAll('-', '')}' AND attempts = 1`,
      );
      return lane !== undefined && String(lane['last_error']).length === 500;
    });
  });

  it('goes back where the peer asks for an earlier message', async () => {
    const peer = rig.peer();
    const record = await rig.queue(peer, 2);
    rig.start();
    await until(async () => !(await waits(peer)));
    let asked = false;
    rig.behave = ({ sequence }) => {
      if (sequence === 3 && !asked) {
        asked = true;
        return answerOf(409, { expectedSequence: 1 });
      }
      return applied();
    };
    await rig.queueOn(record, peer, 3);
    await until(() => rig.sent.length >= 6);
    expect(of(record)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('hands on what came with an answer', async () => {
    const peer = rig.peer();
    rig.behave = () => applied({ messages: [{ sequence: 7 }, { signalId: 's', sequence: 8 }] });
    await rig.queue(peer);
    rig.start();
    await until(() => rig.received.length === 2);
    expect(rig.received).toEqual([
      { route: 'state-transitions', body: { sequence: 7 } },
      { route: 'signals', body: { signalId: 's', sequence: 8 } },
    ]);
  });

  it('goes on where what came with an answer breaks its receiver', async () => {
    const peer = rig.peer();
    rig.onReceived = () => {
      throw new TypeError('not foreseen');
    };
    rig.behave = ({ sequence }) => applied({ messages: [{ sequence }] });
    await rig.queue(peer, 3);
    rig.start();
    await until(() => rig.received.length === 3);
    expect(rig.sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(rig.faults.splice(0)).toHaveLength(3);
  });

  it('sends one probe a minute to a peer that is away, and nothing to the DLQ', async () => {
    const peer = rig.peer();
    rig.behave = () => answerOf(503, {});
    const records = await Promise.all(Array.from({ length: 14 }, () => rig.queue(peer)));
    rig.start();
    await until(() => rig.sent.length >= 10);
    await settled(peer);
    const before = rig.sent.length;
    expect(before).toBeLessThan(18);
    for (let minute = 1; minute <= 3; minute++) {
      rig.now += 60_000;
      await until(() => rig.sent.length >= before + minute);
      // One request a minute, and no more.
      await sleep(400);
      expect(rig.sent).toHaveLength(before + minute);
    }
    rig.now += 10 * 24 * 3_600_000;
    await until(() => rig.sent.length === before + 4);
    await settled(peer);
    expect((await Promise.all(records.map(dlq))).flat()).toEqual([]);
    rig.behave = () => applied();
    rig.now += 400_000;
    await until(async () => !(await waits(peer)));
    expect(new Set(rig.sent.map(({ recordId }) => recordId)).size).toBe(14);
  });

  it.each(['SUSPENDED', 'REVOKED'] as const)('sends nothing to a %s peer', async (status) => {
    const peer = rig.peer(status);
    const record = await rig.queue(peer);
    rig.start();
    await sleep(400);
    expect(of(record)).toEqual([]);
    rig.peers.set(peer, 'ACTIVE');
    await until(() => of(record).length === 1);
  });

  it('finishes what left before it stops, and leaves the rest to another node at once', async () => {
    const peer = rig.peer();
    let open: () => void = () => undefined;
    rig.behave = async () => {
      await new Promise<void>((resolve) => (open = resolve));
      return applied();
    };
    const record = await rig.queue(peer, 2);
    const first = rig.start();
    await until(() => rig.sent.length === 1);
    const stopped = first.stop();
    open();
    await stopped;
    expect(of(record)).toEqual([1]);
    rig.behave = () => applied();
    rig.start();
    await until(() => of(record).length === 2);
    expect(of(record)).toEqual([1, 2]);
  });
});
