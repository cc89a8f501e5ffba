import { describe, expect, it } from 'vitest';
import { PeerWords } from '../../../application/federation/peer-words.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson, hashText } from '../../../domain/kernel/digest.ts';
import { attestation } from '../../support/attackers/forged-answers.ts';
import { sealedReference, type LyingHub } from '../../support/attackers/lying-hub.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { LONG, REFERENCES, TURNED } from '../../support/attackers/long-texts.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';
import { GOAL } from '../../support/service/world.ts';

const hubs = useLyingPair();

const REFUSED = { status: 422, body: { reason: 'BROKEN' } };
const byPerformer = () => ({ kind: 'peer', peerHubId: hubs().pair.far.hubId });
const mirrorTypes = ({ mirrorId }: FederatedStory) => hubs().typesAt(hubs().performer, mirrorId);
const isBroken = async (story: FederatedStory, status: string): Promise<void> => {
  const mirror = await story.mirror();
  expect(mirror['status']).toBe(status);
  expect(mirror['federation']).toMatchObject({ detached: 'broken', pendingStep: null });
};
/** Cancels a record as if it were active, although it is proposed. */
const brokenMessage = async (liar: LyingHub) => {
  await liar.say('RECORD_CANCELLED', ['cancel', 'ACTIVE', 'CANCELLED'], {
    cancelledBy: 'principal',
    awaiting: null,
  });
  return liar.send(await liar.message());
};

describe('a lying home', () => {
  it('does not make the mirror attest an acceptance that the performer did not offer', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('PROPOSAL_ACCEPTED', ['accept', 'PROPOSED', 'ACTIVE'], {
      actor: { kind: 'peer', peerHubId: hubs().pair.far.hubId },
      awaiting: 'performer',
    });
    const answer = await liar.send(await liar.message());
    expect([answer.status, (await story.mirror())['status']]).toEqual([422, 'PROPOSED']);
  });

  it('does not acknowledge a step that the mirror did not offer', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1);
    expect((await liar.send(await liar.message({ ack: 99 }))).status).toBe(422);
  });

  it('does not hide earlier entries of a message behind the newest one', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    for (const n of [1, 2, 3]) await liar.refer(n);
    const answer = await liar.send(await liar.message());
    const { references } = await story.mirror();
    expect(answer.status === 422 || references.length === 3).toBe(true);
  });

  it('does not invalidate the export of the performer with a broken message', async () => {
    const story = await hubs().opened();
    const before = await hubs().verifiedMirror(story);
    expect(before.failures).toEqual([]);
    const answer = await brokenMessage(await hubs().lyingHome(story));
    expect(answer.body['reason']).toBe('BROKEN');
    expect((await hubs().verifiedMirror(story)).failures).toEqual([]);
  });

  it('does not make the chain of a detached record grow without limit', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await brokenMessage(liar);
    for (const n of [1, 2, 3, 4]) {
      await liar.refer(n);
      const body = await liar.message();
      const garbage = Buffer.from(`garbage ${n}`).toString('base64');
      expect((await liar.send({ ...body, entries: [garbage] })).status).toBe(422);
    }
    const types = await hubs().typesAt(hubs().performer, story.mirrorId);
    // One for the offer, one for the broken message and one for the detached record.
    expect(types.filter((type) => type === 'PEER_STATEMENT_ATTESTED').length).toBeLessThan(4);
  });

  it('does not choose the time that the hub of the performer signs', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1, { at: '2999-01-01T00:00:00.000Z' });
    expect((await liar.send(await liar.message())).status).toBe(422);
  });

  it('is detached if it reports an acceptance that the performer did not offer', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('PROPOSAL_ACCEPTED', ['accept', 'PROPOSED', 'ACTIVE'], {
      actor: byPerformer(),
      awaiting: 'performer',
    });
    const answer = await liar.send(await liar.message());
    expect(answer).toMatchObject(REFUSED);
    expect(String(answer.body['detail'])).toContain('who offered no such step');
    await isBroken(story, 'PROPOSED');
    expect(await mirrorTypes(story)).not.toContain('PROPOSAL_ACCEPTED');
  });

  it('is detached if it acknowledges a message that was never sent', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      cancelledBy: 'principal',
      awaiting: null,
    });
    expect(await liar.send(await liar.message({ ack: 7 }))).toMatchObject(REFUSED);
    await isBroken(story, 'PROPOSED');
  });

  it('is detached if it hides entries behind the newest one', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    const same = ['PROPOSED', 'PROPOSED'] as const;
    await liar.say('REFERENCE_ADDED', ['add-reference', ...same], { reference: sealedReference() });
    await liar.say('REFERENCE_ADDED', ['add-reference', ...same], { reference: sealedReference() });
    expect(await liar.send(await liar.message())).toMatchObject(REFUSED);
    await isBroken(story, 'PROPOSED');
  });

  it('is refused if it attests statements that it was never sent', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.seal(
      'counter-attestation',
      attestation({
        recordId: story.homeId,
        orgId: hubs().pair.home.world.orgId,
        peerHubId: hubs().pair.far.hubId,
        statementHash: 'ab'.repeat(32),
        outcome: 'refused',
        code: 'UNPROCESSABLE',
      }),
    );
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      cancelledBy: 'principal',
      awaiting: null,
    });
    const answer = await liar.send(await liar.message());
    expect(answer).toMatchObject(REFUSED);
    expect(String(answer.body['detail'])).toContain('never sent');
  });

  it('is refused without an attestation if it signs a date in the future', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      at: '2999-01-01T00:00:00.000Z',
      cancelledBy: 'principal',
      awaiting: null,
    });
    const ahead = await liar.send(await liar.message());
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
    expect(await mirrorTypes(story)).toHaveLength(2);
  });

  it('does not lengthen the chain with messages to a detached record', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    for (let turn = 0; turn < 5; turn++) {
      await liar.say('PROPOSAL_ACCEPTED', ['accept', 'PROPOSED', 'ACTIVE'], {
        actor: byPerformer(),
      });
      const { status, body } = await liar.send(await liar.message());
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
    expect((await mirrorTypes(story)).slice(2)).toEqual([
      'PEER_STATEMENT_ATTESTED',
      'RECORD_DETACHED',
      'PEER_STATEMENT_ATTESTED',
    ]);
    const kept = await hubs().far[0].part(TOKENS.federationReads).incomingOf(story.mirrorId);
    expect(kept).toHaveLength(3);
  });

  // Such a date has the form that the predicates demand.
  it.each(['2027-02-31T00:00:00.000Z', '2027-13-01T00:00:00.000Z'])(
    'does not set an expiry on a day that does not exist: %s',
    async (expiresAt) => {
      const story = await hubs().opened();
      const liar = await hubs().lyingHome(story);
      await liar.refer(1, { expiresAt });
      const { status } = await liar.send(await liar.message());
      const report = await hubs().verifiedMirror(story);
      const step = await story.onMirror('reject', { reason: 'no' });
      expect(report.failures).toEqual([]);
      expect([status, step.body['reason']]).toEqual([422, 'detached']);
    },
  );
});

// A message may contain only what an operation of the receiving hub accepts from its own parties.
describe('the content of a lying home', () => {
  it.each(REFERENCES)('does not add a reference with %s', async (_, changes) => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: liar.predicateAt(0)['actor'],
      reference: sealedReference(changes),
    });
    const answer = await liar.send(await liar.message());
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
    expect(String(answer.body['detail']).length).toBeLessThan(1_000);
    const { references, federation } = await story.mirror();
    expect([references, federation.detached]).toEqual([[], 'broken']);
  });

  it('does not cancel for a reason of 20,000 letters', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      actor: liar.predicateAt(0)['actor'],
      cancelledBy: 'principal',
      awaiting: null,
      reason: LONG,
    });
    const answer = await liar.send(await liar.message());
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
    expect((await story.mirror())['status']).toBe('PROPOSED');
  });

  it.each<readonly [string, JsonObject, string]>([
    ['criteria that the type forbids', { pictures: 3 }, 'Good work.'],
    ['a message of 20,000 letters', GOAL, LONG],
  ])('does not counter-propose with %s', async (_, criteria, message) => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    const criteriaHash = hashJson(criteria);
    const messageHash = hashText(message);
    await liar.say('COUNTER_PROPOSED', ['counter-propose', 'PROPOSED', 'PROPOSED'], {
      actor: liar.predicateAt(0)['actor'],
      awaiting: 'performer',
      criteriaHash,
      messageHash,
    });
    const items = [
      { kind: 'criteria' as const, hash: criteriaHash, value: criteria },
      { kind: 'message' as const, hash: messageHash, value: message },
    ];
    const answer = await liar.send(await liar.message({}, { items }));
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
    expect((await story.mirror())['counterProposal'] ?? null).toBeNull();
  });

  it('does not send a manifest after the offer', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: liar.predicateAt(0)['actor'],
      reference: sealedReference(),
    });
    const answer = await liar.send(
      await liar.message({}, { manifest: { type: 'job' }, items: [] }),
    );
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
  });

  const received = (changes: object, contents: readonly object[] = []) => ({
    predicate: {
      entryType: 'REFERENCE_ADDED',
      transition: { action: 'view', from: null, to: 'ACTIVE' },
      ...changes,
    },
    contents,
  });
  const terms = { platform: 'api', platformRef: null };
  const opening = { action: 'open-dispute', from: 'FULFILLED', to: 'FULFILLED' };
  const dispute = (value: object) => [{ kind: 'dispute', hash: '', value }];
  const claimed = (results: readonly object[]) => ({ gate: { claimedBy: 'principal', results } });
  it.each<readonly [string, ReturnType<typeof received>]>([
    ['a platform without a name', received({ terms: { ...terms, platform: '' } })],
    ['a platformRef of 20,000 letters', received({ terms: { ...terms, platformRef: LONG } })],
    ['an empty resolution', received({ entryType: 'DISPUTE_RESOLVED', reason: '' })],
    ['a long resolution', received({ entryType: 'DISPUTE_RESOLVED', reason: LONG })],
    ['a reason that changes its writing direction', received({ reason: TURNED })],
    ['grounds of 20,000 letters', received({ transition: opening }, dispute({ grounds: LONG }))],
    ['a long statement', received({ transition: opening }, dispute({ statement: LONG }))],
    ['a dispute with an unknown member', received({ transition: opening }, dispute({ more: 1 }))],
    ['evidence that is not an object', received({}, dispute({ evidence: 'x' }))],
    ['evidence with a statement', received({}, dispute({ evidence: {}, statement: 'x' }))],
    [
      'a claim with a long detail',
      received(claimed([{ gateId: 'a', outcome: 'pass', detail: LONG }])),
    ],
  ])('does not send %s', (_, message) => {
    expect(() =>
      hubs()
        .far[0].part(PeerWords)
        .assertForm(message as never),
    ).toThrow('not valid');
  });

  it('sends what an operation of the mirror accepts', () => {
    const evidence = { note: 'It came late.' };
    const messages = [
      received({ terms, reason: 'Good work.', reference: sealedReference({ label: 'The offer' }) }),
      received({ transition: opening }, dispute({ grounds: 'OTHER', statement: null, evidence })),
      received({}, dispute({ evidence })),
    ];
    for (const message of messages)
      hubs()
        .far[0].part(PeerWords)
        .assertForm(message as never);
  });
});
