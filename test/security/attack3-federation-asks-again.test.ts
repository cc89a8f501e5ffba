import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXHAUSTED_AFTER_MS } from '../../domain/federation/lane.ts';
import { databases, type TestDatabase } from '../support/databases.ts';
import { until } from '../support/hub-pair.ts';
import { answerOf, applied, LaneRig } from '../support/lane-rig.ts';

describe.each(databases())('a peer that never takes a message, on $name', (kind) => {
  let database: TestDatabase;
  let rig: LaneRig;
  beforeAll(async () => {
    database = await kind.open();
  });
  beforeEach(() => {
    rig = new LaneRig(database);
  });
  afterEach(() => rig.stop());
  afterAll(() => database.drop());

  const dlq = async (recordId: string) => {
    const { federationLanes } = database.adapter.reads;
    return (await federationLanes.deadLetters({ recordId }, { limit: 50, after: null })).rows;
  };
  /** Fails for more than seven days, looked at every minute at first and then once a day. */
  const afterEightDays = async (record: string): Promise<void> => {
    const tried = () =>
      rig.sent.filter(({ recordId, sequence }) => recordId === record && sequence === 3).length;
    for (const wait of [0, 60_000, ...Array.from({ length: 8 }, () => EXHAUSTED_AFTER_MS / 7)]) {
      const before = tried();
      rig.now += wait;
      await until(async () => tried() > before || (await dlq(record)).length > 0);
      await sleep(50);
    }
  };

  it('control: has it in the DLQ after seven days', async () => {
    const peer = rig.peer();
    rig.behave = ({ sequence }) => (sequence === 3 ? answerOf(409, {}) : applied());
    const record = await rig.queue(peer, 3);
    rig.start();
    await afterEightDays(record);
    expect(await dlq(record)).toHaveLength(1);
  });

  // Each time it attests again what it attested before, and so the failures are forgotten.
  it('has it there also where it asks for an earlier one each time', async () => {
    const peer = rig.peer();
    rig.behave = ({ sequence }) =>
      sequence === 3 ? answerOf(409, { expectedSequence: 1 }) : applied();
    const record = await rig.queue(peer, 3);
    rig.start();
    await afterEightDays(record);
    expect(await dlq(record)).toHaveLength(1);
  });

  it('gets the whole lane again no more often than the waits of a failing lane say', async () => {
    const peer = rig.peer();
    rig.behave = ({ sequence }) =>
      sequence === 3 ? answerOf(409, { expectedSequence: 1 }) : applied();
    const record = await rig.queue(peer, 3);
    rig.start();
    await until(() => rig.sent.some(({ sequence }) => sequence === 3));
    // An hour, in which a failing message is tried 5, 15, 40, 90, 150 s and then every 300 s after the one before.
    for (let minutes = 0; minutes < 60; minutes++) {
      rig.now += 60_000;
      await sleep(300);
    }
    const again = rig.sent.filter(
      ({ recordId, sequence }) => recordId === record && sequence === 1,
    );
    expect(again.length).toBeLessThan(20);
  }, 60_000);
});
