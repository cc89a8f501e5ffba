import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { TOKENS } from '../../config/tokens.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { HubPair, noting, until, type OpenRuntime } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { chainOf, ok, type Body } from '../support/world.ts';

let pair: HubPair;
const runtimes: OpenRuntime[] = [];
beforeAll(async () => {
  pair = await HubPair.open(noting(runtimes));
  await pair.peer();
}, 60_000);
afterAll(() => pair?.close());

const home = () => [runtimes[0]!, pair.home] as const;
const far = () => [runtimes[1]!, pair.far] as const;
const opened = async (): Promise<FederatedStory> => {
  const story = new FederatedStory(pair);
  await story.propose();
  await story.arrives();
  return story;
};
const liarOf = async (story: FederatedStory): Promise<LyingHub> => {
  const liar = await LyingHub.on(home(), far(), story.homeId);
  const stored = await chainOf(pair.home.world.principal.client, story.homeId);
  for (const entry of stored.slice(liar.told.length))
    liar.untell(Buffer.from(String(entry['coseSign1']), 'base64'));
  return liar;
};
const typesOf = async (story: FederatedStory): Promise<readonly string[]> =>
  (await chainOf(pair.far.world.performer.client, story.mirrorId)).map((entry) =>
    String(entry['entryType']),
  );
const verifyMirror = async (story: FederatedStory) => {
  const { client } = pair.far.world.performer;
  const answer = await fetch(
    `${client.url}/v1/records/${story.mirrorId}/audit-export?evidence=true`,
    { headers: { authorization: `Bearer ${client.key}` } },
  );
  return verifyFile(await answer.text(), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: String(pair.far.identity['vaultRoot']) }),
  });
};
const byPerformer = () => ({ kind: 'peer', peerHubId: pair.far.hubId });
const entry = (
  liar: LyingHub,
  entryType: string,
  action: string,
  [from, to]: readonly [string, string],
  more: JsonObject = {},
) =>
  liar.seal('record-state', {
    ...liar.repeated(),
    entryType,
    at: new Date().toISOString(),
    requestId: randomUUID(),
    transition: { action, from, to },
    ...more,
  });
const reference = () => ({
  id: randomUUID(),
  kind: 'document',
  uri: 'https://example.com/1',
  digest: null,
  label: null,
});
const isBroken = async (story: FederatedStory, status: string): Promise<void> => {
  const mirror = await story.mirror();
  expect(mirror['status']).toBe(status);
  expect(mirror['federation']).toMatchObject({ detached: 'broken', pendingStep: null });
};
const REFUSED = { status: 422, body: { reason: 'BROKEN' } };

describe('a home that lies', { timeout: 60_000 }, () => {
  it('says that the performer accepted, who never did', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    await entry(liar, 'PROPOSAL_ACCEPTED', 'accept', ['PROPOSED', 'ACTIVE'], {
      actor: byPerformer(),
      awaiting: 'performer',
    });
    const answer = await liar.send(await liar.message({}));
    expect(answer).toMatchObject(REFUSED);
    expect(String(answer.body['detail'])).toContain('who offered no such step');
    await isBroken(story, 'PROPOSED');
    expect(await typesOf(story)).not.toContain('PROPOSAL_ACCEPTED');
  });

  it('carries out a step that differs from the one that was offered', async () => {
    const story = await opened();
    pair.home.door.isShut = true;
    await ok(story.onMirror('reject', { reason: 'no capacity' }));
    pair.home.door.isShut = false;
    const step = (await runtimes[1]!.part(TOKENS.federationReads).outgoingOf(story.mirrorId))[0]!;
    const liar = await liarOf(story);
    await entry(liar, 'PROPOSAL_REJECTED', 'reject', ['PROPOSED', 'REJECTED'], {
      actor: byPerformer(),
      reason: 'I admit to everything',
      awaiting: null,
    });
    const answer = await liar.send(await liar.message({ ack: step.sequence }));
    expect(answer).toMatchObject(REFUSED);
    expect(String(answer.body['detail'])).toContain('another step than was offered (reason)');
    await isBroken(story, 'PROPOSED');
  });

  it('acknowledges what was never sent', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    await entry(liar, 'RECORD_CANCELLED', 'cancel', ['PROPOSED', 'CANCELLED'], {
      cancelledBy: 'principal',
      awaiting: null,
    });
    expect(await liar.send(await liar.message({ ack: 7 }))).toMatchObject(REFUSED);
    await isBroken(story, 'PROPOSED');
  });

  it('hides entries behind the newest', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    const same = ['PROPOSED', 'PROPOSED'] as const;
    await entry(liar, 'REFERENCE_ADDED', 'add-reference', same, { reference: reference() });
    await entry(liar, 'REFERENCE_ADDED', 'add-reference', same, { reference: reference() });
    expect(await liar.send(await liar.message({}))).toMatchObject(REFUSED);
    await isBroken(story, 'PROPOSED');
  });

  it('attests statements that it was never sent', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    await liar.seal('counter-attestation', {
      entryType: 'PEER_STATEMENT_ATTESTED',
      requestId: randomUUID(),
      actor: { kind: 'system' },
      recordId: story.homeId,
      orgId: pair.home.world.orgId,
      peerHubId: pair.far.hubId,
      sequence: 1,
      statementHash: 'ab'.repeat(32),
      outcome: 'refused',
      code: 'UNPROCESSABLE',
    });
    await entry(liar, 'RECORD_CANCELLED', 'cancel', ['PROPOSED', 'CANCELLED'], {
      cancelledBy: 'principal',
      awaiting: null,
    });
    const answer = await liar.send(await liar.message({}));
    expect(answer).toMatchObject(REFUSED);
    expect(String(answer.body['detail'])).toContain('never sent');
  });

  it('dates what it says in the future', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    await entry(liar, 'RECORD_CANCELLED', 'cancel', ['PROPOSED', 'CANCELLED'], {
      at: '2999-01-01T00:00:00.000Z',
      cancelledBy: 'principal',
      awaiting: null,
    });
    const ahead = await liar.send(await liar.message({}));
    expect(ahead).toMatchObject({ status: 422, body: { reason: 'unverified' } });
    expect(ahead.body['attestation']).toBeUndefined();
    liar.sequence--;
    const entryAhead = await liar.send(
      await liar.message(
        { at: new Date().toISOString() },
        { items: [] },
        {
          entries: [Buffer.from(liar.told.at(-1)!).toString('base64')],
        },
      ),
    );
    expect(entryAhead).toMatchObject({ status: 422, body: { reason: 'unverified' } });
    expect((await story.mirror())['federation'].detached).toBeNull();
    expect(await typesOf(story)).toHaveLength(2);
  });

  it('sends on to a record that is detached, and makes its chain no longer', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    for (let turn = 0; turn < 5; turn++) {
      await entry(liar, 'PROPOSAL_ACCEPTED', 'accept', ['PROPOSED', 'ACTIVE'], {
        actor: byPerformer(),
      });
      const { status, body } = await liar.send(await liar.message({}));
      expect([status, body['reason'], typeof body['attestation']]).toEqual([
        422,
        ...(turn === 0
          ? ['BROKEN', 'string']
          : turn === 1
            ? ['record_detached', 'string']
            : ['detached', 'undefined']),
      ]);
      if (turn > 2) liar.sequence--;
      if (turn === 2) liar.sequence--;
    }
    expect((await typesOf(story)).slice(2)).toEqual([
      'PEER_STATEMENT_ATTESTED',
      'RECORD_DETACHED',
      'PEER_STATEMENT_ATTESTED',
    ]);
    const kept = await runtimes[1]!.part(TOKENS.federationReads).incomingOf(story.mirrorId);
    expect(kept).toHaveLength(3);
  });
});

describe('a principal who does what the performer asks for', { timeout: 60_000 }, () => {
  it('ends nothing of the performer', async () => {
    const story = await opened();
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    pair.home.door.isShut = true;
    const asked = { kind: 'document', uri: 'https://example.com/performer' };
    const waiting = await ok(story.onMirror('references', asked));
    expect(waiting).toBeDefined();
    await ok(
      story.atHome('references', { kind: 'document', uri: 'https://example.com/principal' }),
    );
    await until(async () => (await story.mirror())['references'].length === 1);
    const { pendingStep } = (await story.mirror())['federation'];
    expect(pendingStep).toMatchObject({ action: 'add-reference' });
    expect(await story.onMirror('references', asked)).toMatchObject({ status: 409 });
    pair.home.door.isShut = false;
    await story.agree('ACTIVE', ({ references }) => (references as Body[]).length === 2);
    const named = (await chainOf(pair.far.world.performer.client, story.mirrorId)).flatMap(
      ({ entryType, statement }) =>
        entryType === 'REFERENCE_ADDED' ? [statement.predicate.peer !== undefined] : [],
    );
    expect(named).toEqual([false, true]);
    expect(await verifyMirror(story)).toMatchObject({ verdict: 'valid', failures: [] });
  });
});

describe('an offer that comes twice at once', { timeout: 60_000 }, () => {
  it('makes one record, and each gets the answer', async () => {
    pair.far.door.isShut = true;
    const story = new FederatedStory(pair);
    await story.propose();
    const [offer] = await runtimes[0]!.part(TOKENS.federationReads).outgoingOf(story.homeId);
    pair.far.door.isShut = false;
    const liar = await LyingHub.on(home(), far(), story.homeId);
    const body = JSON.parse(Buffer.from(offer!.body).toString('utf8')) as JsonObject;
    const answers = await Promise.all([1, 2, 3, 4].map(() => liar.send(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body: { attestation } }) => attestation)).size).toBe(1);
  });
});

describe('a peer that is revoked while its message is under way', { timeout: 60_000 }, () => {
  it('gets nothing taken', async () => {
    const story = await opened();
    const liar = await liarOf(story);
    await entry(liar, 'REFERENCE_ADDED', 'add-reference', ['PROPOSED', 'PROPOSED'], {
      reference: reference(),
    });
    const step = await liar.message({});
    pair.far.door.isShut = true;
    const late = new FederatedStory(pair);
    await late.propose();
    const reads = runtimes[0]!.part(TOKENS.federationReads);
    const [offer] = await reads.outgoingOf(late.homeId);
    const inbox = runtimes[1]!.part(TOKENS.peerReceivers)!.stateTransitions;
    const peers = runtimes[1]!.part(TOKENS.peerReads);
    const { hubId, publicKeyThumbprint, generation, vaultRoot } = (await peers.find(
      pair.home.hubId,
    ))!;
    const admitted = { hubId, publicKeyThumbprint, generation, vaultRoot };
    await ok(
      pair.far.world.platform.post(`/v1/admin/federation/peers/${hubId}/suspend`, {
        reason: 'under inquiry',
      }),
    );
    const body = JSON.parse(Buffer.from(offer!.body).toString('utf8')) as JsonObject;
    const refused = { code: 'UNAUTHORIZED' };
    await expect(inbox.execute(admitted, body, 'late-offer')).rejects.toMatchObject(refused);
    await expect(inbox.execute(admitted, step, 'late-step')).rejects.toMatchObject(refused);
    const far = runtimes[1]!.part(TOKENS.federationReads);
    expect(await far.mirrorOf(hubId, late.homeId)).toBeNull();
    expect(await far.incomingOf(story.mirrorId)).toHaveLength(1);
    expect(await typesOf(story)).toHaveLength(2);
  });
});
