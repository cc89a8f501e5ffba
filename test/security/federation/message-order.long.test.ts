import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXHAUSTED_AFTER_MS } from '../../../domain/federation/lane.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { sealedReference, type LyingHub } from '../../support/attackers/lying-hub.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { answerOf, applied, LaneRig } from '../../support/hubs/lane-rig.ts';

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

describe('a peer that skips a sequence number', () => {
  const hubs = useLyingPair();

  /** A claim that still fits into an entry. */
  const onBehalfOf: JsonObject = {
    subject: { iss: 'https://issuer.example', sub: 'x'.repeat(55_000) },
    validated: true,
    provenance: 'token_exchange',
    act: [],
  };

  /** A step that home refuses under seal and stores with all entries of its message. */
  const refusedStep = async (liar: LyingHub, before: number): Promise<void> => {
    if (liar.sequence > 1)
      await liar.say('STEP_REFUSED', ['add-reference', 'ACTIVE', 'ACTIVE'], {
        actor: { kind: 'system' },
        peer: { statementHash: 'ab'.repeat(32), code: 'UNPROCESSABLE' },
        reference: undefined,
      });
    for (let n = 0; n < before; n++)
      await liar.say('CHILD_DELEGATED', ['delegate', 'ACTIVE', 'ACTIVE'], {
        actor: hubs().performerActor,
        peer: undefined,
        reference: undefined,
        onBehalfOf,
        children: [
          { id: randomUUID(), status: 'ACTIVE', headHash: 'ab'.repeat(32), disputed: false },
        ],
      });
    await liar.say('STEP_OFFERED', ['add-reference', 'ACTIVE', 'ACTIVE'], {
      actor: hubs().performerActor,
      peer: undefined,
      children: undefined,
      reference: sealedReference({ uri: 'x' }),
    });
    const answer = await liar.send(
      await liar.message({ action: 'add-reference', state: 'ACTIVE' }),
    );
    expect(answer.body['attestation']).toBeTypeOf('string');
  };

  /** The CPU time of 10 messages that skip a sequence number, in ms. Each is answered 409. */
  const costOf = async (liar: LyingHub): Promise<number> => {
    liar.sequence += 5;
    const body = await liar.message();
    const entries = [Buffer.from(liar.told.at(-1)!).toString('base64')];
    const before = process.cpuUsage();
    for (let turn = 0; turn < 10; turn++)
      expect((await liar.send({ ...body, entries, messageId: randomUUID() })).status).toBe(409);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 10_000;
  };

  // To report a missing message, home must not read all earlier messages of the record and verify their MACs.
  it('costs home no more if the peer sent much before', async () => {
    const slim = await hubs().lyingMirrorAfter(await hubs().accepted());
    await refusedStep(slim, 0);
    const fat = await hubs().lyingMirrorAfter(await hubs().accepted());
    for (let n = 0; n < 8; n++) await refusedStep(fat, 22);
    // In turns, because the core is not always as fast, and the process does other things beside.
    const [few, much]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 3; turn++) {
      few.push(await costOf(slim));
      much.push(await costOf(fat));
    }
    expect(median(much)).toBeLessThan(3 * median(few));
  });
});

describe.each(databases())('a peer that never accepts a message, on $name', (kind) => {
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
  /** Fails for eight days: one attempt after a minute, and then one a day. */
  const afterEightDays = async (record: string): Promise<void> => {
    const tried = () =>
      rig.sent.filter(({ recordId, sequence }) => recordId === record && sequence === 3).length;
    // What came of an attempt is stored before the clock goes on.
    const leased = `SELECT 1 FROM federation_lanes WHERE lease_until > 0 AND record_id = x'${record.replaceAll('-', '')}'`;
    for (const wait of [0, 60_000, ...Array.from({ length: 8 }, () => EXHAUSTED_AFTER_MS / 7)]) {
      const before = tried();
      rig.now += wait;
      await until(async () => tried() > before || (await dlq(record)).length > 0);
      await until(async () => (await database.raw(leased)).length === 0);
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

  // Each time the peer attests an earlier message again, which must not reset the count of failures.
  it('has it in the DLQ also if it asks for an earlier message each time', async () => {
    const peer = rig.peer();
    rig.behave = ({ sequence }) =>
      sequence === 3 ? answerOf(409, { expectedSequence: 1 }) : applied();
    const record = await rig.queue(peer, 3);
    rig.start();
    await afterEightDays(record);
    expect(await dlq(record)).toHaveLength(1);
  });

  it('gets the whole queue again no more often than a failing message is retried', async () => {
    const peer = rig.peer();
    rig.behave = ({ sequence }) =>
      sequence === 3 ? answerOf(409, { expectedSequence: 1 }) : applied();
    const record = await rig.queue(peer, 3);
    rig.start();
    await until(() => rig.sent.some(({ sequence }) => sequence === 3));
    // In an hour a failing message is retried after 5, 15, 40, 90, 150 s and then every 300 s.
    for (let minutes = 0; minutes < 60; minutes++) {
      rig.now += 60_000;
      await sleep(300);
    }
    const again = rig.sent.filter(
      ({ recordId, sequence }) => recordId === record && sequence === 1,
    );
    expect(again.length).toBeLessThan(20);
  });
});
