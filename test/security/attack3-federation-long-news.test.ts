import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { GOAL, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
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
});
