import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PeerWords } from '../../application/federation/peer-words.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson, hashText } from '../../domain/kernel/digest.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { GOAL } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const LONG = 'a'.repeat(20_000);
const TURNED = 'paid \u202Etxt.exe';
const reference = (changes: JsonObject): JsonObject => ({
  id: randomUUID(),
  kind: 'document',
  uri: 'https://files.example/1',
  digest: null,
  label: null,
  ...changes,
});
const REFERENCES: readonly (readonly [string, JsonObject])[] = [
  ['an address that runs', { uri: 'javascript:alert(1)' }],
  ['a label of 20,000 letters', { label: LONG }],
  ['a label that turns its direction', { label: TURNED }],
  ['a kind of two lines', { kind: 'one\ntwo' }],
  ['an address of 20,000 letters', { uri: `https://files.example/${LONG}` }],
  ['a digest that is none', { digest: { alg: 'sha-256', value: 'none' } }],
];

describe('what home puts on a mirror', { timeout: 60_000 }, () => {
  it.each(REFERENCES)('is no reference with %s', async (_, changes) => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: liar.predicateAt(0)['actor'],
      reference: reference(changes),
    });
    const answer = await liar.send(await liar.message());
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
    expect(String(answer.body['detail']).length).toBeLessThan(1_000);
    const { references, federation } = await story.mirror();
    expect([references, federation.detached]).toEqual([[], 'broken']);
  });

  it('is no reason of 20,000 letters', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
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
    ['criteria that its type does not take', { pictures: 3 }, 'Good work.'],
    ['a message of 20,000 letters', GOAL, LONG],
  ])('are no counter-proposal with %s', async (_, criteria, message) => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
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

  it('is no manifest but with the offer', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: liar.predicateAt(0)['actor'],
      reference: reference({}),
    });
    const answer = await liar.send(
      await liar.message({}, { manifest: { type: 'job' }, items: [] }),
    );
    expect(answer).toMatchObject({ status: 422, body: { reason: 'BROKEN' } });
  });

  const said = (changes: object, contents: readonly object[] = []) => ({
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
  it.each<readonly [string, ReturnType<typeof said>]>([
    ['a platform without a name', said({ terms: { ...terms, platform: '' } })],
    ['a platformRef of 20,000 letters', said({ terms: { ...terms, platformRef: LONG } })],
    ['an empty resolution', said({ entryType: 'DISPUTE_RESOLVED', reason: '' })],
    ['a long resolution', said({ entryType: 'DISPUTE_RESOLVED', reason: LONG })],
    ['a reason that turns its direction', said({ reason: TURNED })],
    ['grounds of 20,000 letters', said({ transition: opening }, dispute({ grounds: LONG }))],
    ['a long statement', said({ transition: opening }, dispute({ statement: LONG }))],
    ['a dispute of something else', said({ transition: opening }, dispute({ more: 1 }))],
    ['evidence that is no object', said({}, dispute({ evidence: 'x' }))],
    ['evidence with a statement', said({}, dispute({ evidence: {}, statement: 'x' }))],
    ['a claim with a long detail', said(claimed([{ gateId: 'a', outcome: 'pass', detail: LONG }]))],
  ])('is not %s', (_, word) => {
    expect(() => hubs.far[0].part(PeerWords).assertForm(word as never)).toThrow('not valid');
  });

  it('is what an operation here would have taken', () => {
    const evidence = { note: 'It came late.' };
    const words = [
      said({ terms, reason: 'Good work.', reference: reference({ label: 'The offer' }) }),
      said({ transition: opening }, dispute({ grounds: 'OTHER', statement: null, evidence })),
      said({}, dispute({ evidence })),
    ];
    for (const word of words) hubs.far[0].part(PeerWords).assertForm(word as never);
  });
});

describe('what a mirror offers home', { timeout: 60_000 }, () => {
  it.each(REFERENCES)('is refused as a reference with %s', async (_, changes) => {
    const story = await hubs.opened();
    const liar = await hubs.lyingMirror(story);
    await liar.say('STEP_OFFERED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: hubs.performerActor,
      reference: reference(changes),
    });
    const answer = await liar.send(await liar.message({ action: 'add-reference' }));
    expect(answer.status).toBe(422);
    expect(answer.body['attestation']).toBeTypeOf('string');
    const { references, federation } = await story.home();
    expect([references, federation.detached]).toEqual([[], null]);
  });
});
