import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { databases } from '../support/databases/databases.ts';
import { publish, SEALED_JOB } from '../support/stories/encrypted-world.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubPair, inProcess, until, type TestHub } from '../support/hubs/hub-pair.ts';
import { decryptionKey, decryptWith, encryptTo } from '../support/vectors/jwe.ts';
import { chainOf, ok, type Body, type Client } from '../support/service/world.ts';

describe.each(databases())('what two hubs do over the wire, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, own.env);
    await pair.peer();
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  const exported = async (hub: TestHub, { url, key }: Client, id: string) => {
    const answer = await fetch(`${url}/v1/records/${id}/audit-export?evidence=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: String(hub.identity['vaultRoot']) });
    return { input: await answer.text(), options: { trust } };
  };
  /** Both exports, once neither is too old for the other. */
  const held = async ({ homeId, mirrorId }: FederatedStory): Promise<readonly string[]> => {
    let files: readonly string[] = [];
    await until(async () => {
      const home = await exported(pair.home, pair.home.world.principal.client, homeId);
      const mirror = await exported(pair.far, pair.far.world.performer.client, mirrorId);
      const both = await verifyBothSides(home, mirror);
      expect([...both.report.failures, ...both.peer.failures]).toEqual([]);
      files = [home.input, mirror.input];
      return both.exitCode === 0;
    });
    return files;
  };
  const chains = async ({ homeId, mirrorId }: FederatedStory) => ({
    home: await chainOf(pair.home.world.principal.client, homeId),
    mirror: await chainOf(pair.far.world.performer.client, mirrorId),
  });
  const opened = async (extra: Body = {}): Promise<FederatedStory> => {
    const story = new FederatedStory(pair);
    await story.propose(extra);
    await story.arrives();
    return story;
  };
  /** Delivered by the performer and accepted by the principal. */
  const fulfilled = async (): Promise<FederatedStory> => {
    const story = await opened();
    await ok(story.onMirror('accept'));
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const { latestCompletionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'accept', completionId: latestCompletionId }));
    await story.agree('FULFILLED');
    return story;
  };
  const disputes = async ({ homeId, mirrorId }: FederatedStory): Promise<readonly Body[]> => [
    await ok(pair.home.world.principal.client.get(`/v1/records/${homeId}/dispute`)),
    await ok(pair.far.world.performer.client.get(`/v1/records/${mirrorId}/dispute`)),
  ];
  const tiers = async (story: FederatedStory): Promise<readonly unknown[]> =>
    (await disputes(story)).map(({ tier }) => tier as unknown);
  /** The events of a record, as an admin of its org reads them, oldest first. */
  const eventsOf = async ({ world }: TestHub, recordId: string): Promise<readonly Body[]> => {
    const { data } = await ok(world.admin.get(`/v1/events?limit=200`));
    return (data as Body[]).filter((one) => one['data']?.recordId === recordId).reverse();
  };

  it('keeps the contents of an encrypted record ciphertext on both, and both exports verify', async () => {
    const { home, far } = pair;
    const [principal, performer] = [await decryptionKey('X25519'), await decryptionKey('P-256')];
    await publish(home.world.admin, home.world.principal.id, principal);
    await publish(far.world.admin, far.world.performer.id, performer);
    await ok(home.world.admin.post('/v1/schemas', SEALED_JOB));
    const secret = (content: unknown) => encryptTo([principal, performer], content);

    const story = await opened({
      type: 'sealed-job',
      criteria: await secret({ goal: 'hush-7413' }),
    });
    const mirror = await story.mirror();
    expect(mirror['operatingMode']).toBe('encrypted');
    expect(await decryptWith(performer, mirror['criteria'])).toEqual({ goal: 'hush-7413' });
    await ok(story.onMirror('accept'));
    await ok(
      story.onMirror('completions', { evidence: await secret({ score: 5, log: 'hush-7414' }) }),
    );
    const { latestCompletionId: completionId } = await story.home();
    const plain = await story.onMirror('completions', { evidence: { score: 5 } });
    expect(plain.status).toBe(422);
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    await story.agree('FULFILLED');
    for (const file of await held(story)) {
      expect(file).not.toContain('hush-741');
      const { chain } = JSON.parse(file) as Body;
      const entries = (chain.entries as Body[]).filter(({ evidence }) => evidence !== undefined);
      const delivered = entries.find(({ entryType }) => entryType === 'COMPLETION_SUBMITTED');
      expect(await decryptWith(principal, delivered?.['evidence'])).toMatchObject({ score: 5 });
    }
  });

  it('refuses an offer that the performer cannot read', async () => {
    const { home } = pair;
    const reader = await decryptionKey('X25519');
    await publish(home.world.admin, home.world.principal.id, reader);
    const story = new FederatedStory(pair);
    await story.propose({ type: 'sealed-job', criteria: await encryptTo([reader], { goal: 'x' }) });
    await until(async () => (await story.home())['status'] === 'REJECTED');
    expect((await story.home())['federation']).toMatchObject({ detached: 'offer_refused' });
  });

  it('takes the escalation and the concession of the performer as steps', async () => {
    const story = await fulfilled();
    await ok(story.atHome('dispute', { statement: 'It is not what was agreed.' }));
    await story.agree('FULFILLED', ({ disputed }) => disputed === true);
    await ok(story.onMirror('dispute/escalate', { reason: 'Let others look.' }));
    await until(async () => (await tiers(story)).every((tier) => tier === 2));
    const resolution = 'They are right.';
    await ok(story.onMirror('dispute/resolve', { outcome: 'OVERTURNED', resolution }));
    await story.agree('FAILED', ({ openDisputeId }) => openDisputeId === null);
    for (const dispute of await disputes(story))
      expect(dispute).toMatchObject({ outcome: 'OVERTURNED', resolution });
    const { home, mirror } = await chains(story);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
    expect(transitionsOf(home).slice(-2)).toEqual([
      'escalate-dispute: FULFILLED→FULFILLED',
      'resolve-dispute: FULFILLED→FAILED',
    ]);
    await held(story);

    // What home recommended on the way is told by both, in the same words.
    const signals = (chain: readonly Body[]) =>
      chain
        .filter(({ entryType }) => entryType === 'SIGNAL_EMITTED')
        .map(({ statement }) => statement.predicate as Body);
    const emitted = signals(home);
    expect(emitted.map(({ recommendation }) => recommendation as string)).toEqual([
      'SETTLE',
      'HOLD',
      'RELEASE',
    ]);
    // The mirror recommends nothing by itself.
    expect(signals(mirror)).toEqual([]);
    const told = async (hub: TestHub, type: string, id: string) =>
      (await eventsOf(hub, id)).filter((event) => event['type'] === type);
    await until(
      async () =>
        (await told(pair.far, 'signal.received', story.mirrorId)).length >= emitted.length,
    );
    const received = await told(pair.far, 'signal.received', story.mirrorId);
    expect(received.map(({ data }) => data)).toEqual(
      emitted.map(({ signalId, supersedes, recommendation, outcome, platformRef }) =>
        expect.objectContaining({
          recordId: story.mirrorId,
          peerHubId: pair.home.hubId,
          signalId,
          ...(supersedes ? { supersedes } : {}),
          recommendation,
          outcome,
          platformRef,
        }),
      ),
    );
    expect(await told(pair.far, 'signal.emitted', story.mirrorId)).toEqual([]);
    await until(
      async () =>
        (await told(pair.home, 'federation.settlement.signal', story.homeId)).length ===
        emitted.length,
    );
  });

  it('lets two escalations that cross lead one tier up, not two', async () => {
    const story = await fulfilled();
    await ok(story.atHome('dispute', { statement: 'It is not what was agreed.' }));
    await story.agree('FULFILLED', ({ disputed }) => disputed === true);
    pair.home.door.isShut = true;
    pair.far.door.isShut = true;
    await ok(story.onMirror('dispute/escalate', {}));
    expect((await story.mirror())['federation'].pendingStep).toMatchObject({
      action: 'escalate-dispute',
    });
    await ok(story.atHome('dispute/escalate', {}));
    pair.home.door.isShut = false;
    pair.far.door.isShut = false;
    await until(
      async () =>
        (await tiers(story)).every((tier) => tier === 2) &&
        (await story.mirror())['federation'].pendingStep === null,
      60_000,
    );
    const { home, mirror } = await chains(story);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
    expect(transitionsOf(home).filter((one) => one.startsWith('escalate'))).toHaveLength(1);
    expect(mirror.map(({ entryType }) => entryType as string)).toContain('STEP_REFUSED');
    // The record goes on: the performer looks again, and escalates what home shows now.
    await ok(story.onMirror('dispute/escalate', {}));
    await until(async () => (await tiers(story)).every((tier) => tier === 3));
    await held(story);
  });

  it('sends what waits as soon as it hears from a peer that was away', async () => {
    const [waiting, other] = [await opened(), await opened()];
    pair.far.door.isShut = true;
    await ok(waiting.atHome('cancel', { reason: 'Not needed.' }));
    // The second attempt failed as well: the third one is due 15 seconds later.
    const lane = `SELECT 1 FROM federation_lanes WHERE attempts = 2 AND record_id = x'${waiting.homeId.replaceAll('-', '')}'`;
    await until(async () => (await own.all[0]!.raw(lane)).length > 0, 60_000);
    const failed = performance.now();
    pair.far.door.isShut = false;
    await sleep(1_500);
    expect((await waiting.mirror())['status']).toBe('PROPOSED');
    await ok(other.onMirror('accept'));
    await until(async () => (await waiting.mirror())['status'] === 'CANCELLED');
    expect(performance.now() - failed).toBeLessThan(14_000);
  });
});
