import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifiedExport } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { JOB_TYPE, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
  const type = { ...JOB_TYPE, type: 'contested', maxDisputes: 100 };
  await ok(hubs.pair.home.world.admin.post('/v1/schemas', type));
}, 60_000);
afterAll(() => hubs?.close());

describe('a principal who disputes, and withdraws, many times', { timeout: 300_000 }, () => {
  // Both hubs are honest. Each message of home leaves two entries on the mirror, all of which travel with its next step. Once,
  // more than 1,000 were cut; home found the step broken and detached the record, and the performer answered no more.
  it('does not silence the performer', async () => {
    const story = await hubs.opened({ type: 'contested' });
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
    const { latestCompletionId: completionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    await story.agree('FULFILLED');
    for (let disputes = 0; ; disputes++) {
      const opened = await story.atHome('dispute', { grounds: 'QUALITY' });
      if (opened.status === 422) {
        // It says what has to come first, and that helps.
        expect(opened.body).toMatchObject({ reason: 'peer_step_due' });
        expect(disputes).toBeGreaterThan(4);
        await ok(
          story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' }),
        );
        await until(async () => (await story.mirror())['federation'].pendingStep === null);
        await ok(story.atHome('dispute', { grounds: 'QUALITY' }));
        break;
      }
      for (let piece = 0; piece < 29; piece++)
        await ok(story.atHome('dispute/evidence', { evidence: { piece } }));
      await ok(story.atHome('dispute/withdraw'));
    }
    const { disputeCount } = await story.home();
    await story.agree('FULFILLED', (record) => record['disputeCount'] === disputeCount, 120_000);
    await until(async () => {
      const [mine, theirs] = await Promise.all([
        ok(hubs.principal.get(`/v1/records/${story.homeId}/dispute`)),
        ok(hubs.performer.get(`/v1/records/${story.mirrorId}/dispute`)),
      ]);
      return mine['evidence'].length === theirs['evidence'].length;
    }, 60_000);
    await story.onMirror('dispute/evidence', { evidence: { answer: 'It was done.' } });
    await until(async () => (await story.mirror())['federation'].pendingStep === null).catch(
      () => undefined,
    );
    const shown = await Promise.all([story.home(), story.mirror()]);
    const files = [
      await verifiedExport(hubs.principal, story.homeId, hubs.pair.home),
      await hubs.verifiedMirror(story),
    ];
    expect.soft(files.map(({ failures }) => failures)).toEqual([[], []]);
    expect(shown.map(({ federation }) => federation.detached)).toEqual([null, null]);
    const { evidence } = await ok(hubs.principal.get(`/v1/records/${story.homeId}/dispute`));
    expect(evidence).toHaveLength(1);
  });
});
