import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { teamName, teamType } from '../support/tree.ts';
import { GOAL, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
  await ok(hubs.pair.home.world.admin.post('/v1/schemas', teamType('all-fulfilled')));
}, 60_000);
afterAll(() => hubs?.close());

const verify = (story: FederatedStory) =>
  story.onMirror('transition', { action: 'verify-cascade' });

describe('a performer who delegates much, and looks at it each time', { timeout: 180_000 }, () => {
  // Each CASCADE_VERIFIED lists all children, and all of them travel with the next step: home answers 413 for ever.
  it('can still deliver its work', async () => {
    const story = await hubs.opened();
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    let steps = 0;
    for (let n = 0; n < 160; n++) {
      const note = { type: 'note', criteria: GOAL, parentRecordId: story.mirrorId };
      await ok(hubs.performer.post('/v1/records', note));
      const verified = await verify(story);
      if (verified.status !== 422) continue;
      // It says what to do, and that helps.
      expect(verified.body).toMatchObject({ reason: 'step_due' });
      await ok(
        story.onMirror('references', { kind: 'document', uri: `https://files.example/${n}` }),
      );
      await until(async () => (await story.mirror())['federation'].pendingStep === null);
      expect((await verify(story)).status).toBe(200);
      steps++;
    }
    expect(steps).toBeGreaterThan(0);
    const step = await story.onMirror('completions', { evidence: { score: 9 } });
    expect(step.status).toBeLessThan(300);
    const letters = () => ok(hubs.pair.far.world.platform.get('/federation/v1/admin/dlq'));
    await until(
      async () =>
        (await letters()).total > 0 || (await story.mirror())['federation'].pendingStep === null,
    );
    expect((await letters())['data']).toEqual([]);
  });

  // Home judges by the newest CASCADE_VERIFIED that it has.
  it('is not judged by children of before: a step is due before the completion as well', async () => {
    const story = await hubs.opened({ type: teamName('all-fulfilled'), criteria: GOAL });
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    const note = { type: 'note', criteria: GOAL, parentRecordId: story.mirrorId };
    do await ok(hubs.performer.post('/v1/records', note));
    while ((await verify(story)).status === 200);
    const complete = () => story.onMirror('completions', { evidence: { score: 9 } });
    expect((await complete()).body).toMatchObject({ status: 422, reason: 'step_due' });
    await ok(story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' }));
    await until(async () => (await story.mirror())['federation'].pendingStep === null);
    // What became of the last child is still unsaid; there is room to say it, and it goes along with the work.
    await ok(verify(story));
    expect((await complete()).status).toBeLessThan(300);
    await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
  });
});
