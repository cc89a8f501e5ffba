import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { ForgedOffers } from '../support/forged-bytes.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { TOKENS } from '../../config/tokens.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

/** Of the form that the predicates demand, and of no calendar. */
const NO_DATES = ['2027-02-31T00:00:00.000Z', '2027-13-01T00:00:00.000Z'] as const;

const failed = async (): Promise<FederatedStory> => {
  const story = await hubs.opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  await ok(story.onMirror('completions', { evidence: { score: 9 } }));
  const { latestCompletionId: completionId } = await story.home();
  await ok(story.atHome('verdict', { verdict: 'reject', reason: 'no', completionId }));
  await story.agree('FAILED');
  await ok(story.onMirror('dispute', { grounds: 'QUALITY', statement: 'x' }));
  await story.agree('FAILED', ({ disputed }) => disputed === true);
  await until(() => story.isQuiet());
  return story;
};

describe('a date that home names, of a day that does not exist', { timeout: 60_000 }, () => {
  it.each(NO_DATES)(
    'spoils no evidence as the end of the time of a record: %s',
    async (expiresAt) => {
      const story = await hubs.opened();
      const liar = await hubs.lyingHome(story);
      await liar.refer(1, { expiresAt });
      const { status } = await liar.send(await liar.message());
      const report = await hubs.verifiedMirror(story);
      const step = await story.onMirror('reject', { reason: 'no' });
      expect(report.failures).toEqual([]);
      expect([status, step.body['reason']]).toEqual([422, 'detached']);
    },
  );

  it.each(NO_DATES)(
    'spoils no evidence as the end of a phase of a dispute: %s',
    async (deadline) => {
      const story = await failed();
      const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
      const open = liar.repeated()['dispute'] as JsonObject;
      const { contentHash: _, ...kept } = open;
      await liar.say('DISPUTE_ESCALATED', ['escalate-dispute', 'FAILED', 'FAILED'], {
        actor: liar.predicateAt(0)['actor'],
        peer: undefined,
        dispute: { ...kept, phase: 'TIER_2_REVIEW', tier: 2, deadline },
      });
      const ack = (await hubs.far[0].part(TOKENS.federationReads).outgoingOf(story.mirrorId))
        .length;
      const { status } = await liar.send(await liar.message({ ack }));
      const report = await hubs.verifiedMirror(story);
      const step = await story.onMirror('dispute/evidence', { evidence: { log: 'mine' } });
      expect(report.failures).toEqual([]);
      expect([status, step.body['reason']]).toEqual([422, 'detached']);
    },
  );

  it.each(NO_DATES)('is none until which an offer stands: %s', async (expiresAt) => {
    const offers = await ForgedOffers.by(hubs.home, hubs.far, hubs.pair);
    const edit = (predicate: JsonObject) => ({ ...predicate, expiresAt });
    const { status } = await offers.liar.send(await offers.message(edit));
    expect(status).toBe(422);
  });
});
