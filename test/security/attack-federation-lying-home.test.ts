import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LyingPair } from '../support/lying-pair.ts';
import type { LyingHub } from '../support/lying-hub.ts';

// Marked `it.fails` where the attack works today: remove the mark with the mend.
let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const uri = (n: number): string => `https://files.example/${n}`;
const addReference = (liar: LyingHub, n: number) =>
  liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
    actor: liar.predicateAt(0)['actor'],
    reference: {
      id: crypto.randomUUID(),
      kind: 'document',
      uri: uri(n),
      digest: null,
      label: null,
    },
  });
const brokenMessage = async (liar: LyingHub) => {
  await liar.say('RECORD_CANCELLED', ['cancel', 'ACTIVE', 'CANCELLED'], {
    cancelledBy: 'principal',
    awaiting: null,
  });
  return liar.send(await liar.message());
};

describe('a home that lies to the mirror', { timeout: 60_000 }, () => {
  it('does not make it attest an acceptance that nobody offered there', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.say('PROPOSAL_ACCEPTED', ['accept', 'PROPOSED', 'ACTIVE'], {
      actor: { kind: 'peer', peerHubId: hubs.pair.far.hubId },
      awaiting: 'performer',
    });
    const answer = await liar.send(await liar.message());
    expect([answer.status, (await story.mirror())['status']]).toEqual([422, 'PROPOSED']);
  });

  it('does not acknowledge a step that was never offered', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await addReference(liar, 1);
    expect((await liar.send(await liar.message({ ack: 99 }))).status).toBe(422);
  });

  it('does not hide entries that move the record behind the last one', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    for (const n of [1, 2, 3]) await addReference(liar, n);
    const answer = await liar.send(await liar.message());
    const { references } = await story.mirror();
    expect(answer.status === 422 || references.length === 3).toBe(true);
  });

  it('does not spoil the evidence of the performer by a broken message', async () => {
    const story = await hubs.opened();
    const before = await hubs.verifiedMirror(story);
    expect(before.failures).toEqual([]);
    const answer = await brokenMessage(await hubs.lyingHome(story));
    expect(answer.body['reason']).toBe('BROKEN');
    expect((await hubs.verifiedMirror(story)).failures).toEqual([]);
  });

  it('does not make the chain of a detached record grow for ever', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await brokenMessage(liar);
    for (const n of [1, 2, 3, 4]) {
      await addReference(liar, n);
      const body = await liar.message();
      const garbage = Buffer.from(`garbage ${n}`).toString('base64');
      expect((await liar.send({ ...body, entries: [garbage] })).status).toBe(422);
    }
    const types = await hubs.typesAt(hubs.performer, story.mirrorId);
    // The offer, the broken message, and once that the record is detached.
    expect(types.filter((type) => type === 'PEER_STATEMENT_ATTESTED').length).toBeLessThan(4);
  });

  it('does not choose the time that the hub of the performer signs', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      at: '2999-01-01T00:00:00.000Z',
      actor: liar.predicateAt(0)['actor'],
      reference: {
        id: crypto.randomUUID(),
        kind: 'document',
        uri: uri(1),
        digest: null,
        label: null,
      },
    });
    expect((await liar.send(await liar.message())).status).toBe(422);
  });
});

describe('an act of the principal', { timeout: 60_000 }, () => {
  it('does not end a step of the performer that home has not seen', async () => {
    const story = await hubs.opened();
    const reference = (n: number) => ({ kind: 'document', uri: uri(n), digest: null, label: null });
    hubs.pair.home.door.isShut = true;
    try {
      expect((await story.onMirror('references', reference(1))).status).toBe(201);
      expect((await story.atHome('references', reference(2))).status).toBe(201);
      const end = Date.now() + 8_000;
      while ((await story.mirror())['references'].length === 0 && Date.now() < end);
      expect((await story.mirror())['federation'].pendingStep).toMatchObject({ sequence: 1 });
    } finally {
      hubs.pair.home.door.isShut = false;
    }
  });
});
