import { beforeAll, describe, expect, it } from 'vitest';
import { verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { GOAL, JOB_TYPE, ok } from '../../support/service/world.ts';
import { teamName, teamType } from '../../support/stories/tree.ts';

// Neither hub lies in these tests.
const hubs = useLyingPair();
beforeAll(async () => {
  const { admin } = hubs().pair.home.world;
  await ok(admin.post('/v1/schemas', teamType('all-fulfilled')));
  await ok(admin.post('/v1/schemas', { ...JOB_TYPE, type: 'contested', maxDisputes: 10 }));
});

describe('a record whose gates decide', () => {
  // After home applied the submission, the call on the mirror continues like a local one. The mirror must not evaluate the
  // gates itself, because no verifier accepts that entry of a mirror, and home's own evaluation would be BROKEN there.
  it.each(['the answer', 'a message of its own'])(
    'is decided at home alone, and %s reports it',
    async (by) => {
      const story = await hubs().accepted({ type: 'auto-job', criteria: GOAL });
      // The network delays what home reports about its gates.
      if (by !== 'the answer')
        hubs().pair.far.door.onRequest = async ({ body }) => {
          if (body.includes('"action":"evaluate"')) await new Promise((r) => setTimeout(r, 1_500));
        };
      await ok(story.onMirror('completions', { evidence: { score: 9 } }));
      await story.agree('FULFILLED');
      await hubs().settled(story);
      const views = await Promise.all([story.home(), story.mirror()]);
      const reports = [
        await verifiedExport(hubs().principal, story.homeId, hubs().pair.home),
        await hubs().verifiedMirror(story),
      ];
      expect.soft(reports.map(({ failures }) => failures)).toEqual([[], []]);
      expect(views.map(({ federation }) => federation.detached)).toEqual([null, null]);
    },
  );
});

describe('a performer that delegates much, and verifies the cascade each time', () => {
  const verify = (story: FederatedStory) =>
    story.onMirror('transition', { action: 'verify-cascade' });

  // Each CASCADE_VERIFIED lists all children, and the next step carries all these entries. Without a limit home answers 413.
  it('can still deliver its work', { timeout: 300_000 }, async () => {
    const story = await hubs().accepted();
    let steps = 0;
    for (let n = 0; n < 160; n++) {
      const note = { type: 'note', criteria: GOAL, parentRecordId: story.mirrorId };
      await ok(hubs().performer.post('/v1/records', note));
      const verified = await verify(story);
      if (verified.status !== 422) continue;
      // The refusal names what to do, and doing it helps.
      expect(verified.body).toMatchObject({ reason: 'step_due' });
      await ok(
        story.onMirror('references', { kind: 'document', uri: `https://files.example/${n}` }),
      );
      await until(async () => (await story.mirror())['federation'].pendingStep === null, 60_000);
      expect((await verify(story)).status).toBe(200);
      steps++;
    }
    expect(steps).toBeGreaterThan(0);
    const step = await story.onMirror('completions', { evidence: { score: 9 } });
    expect(step.status).toBeLessThan(300);
    const letters = () => ok(hubs().pair.far.world.platform.get('/federation/v1/admin/dlq'));
    await until(
      async () =>
        (await letters()).total > 0 || (await story.mirror())['federation'].pendingStep === null,
      60_000,
    );
    expect((await letters())['data']).toEqual([]);
  });

  // Home decides by the newest CASCADE_VERIFIED that it received.
  it(
    'is not judged by an old list of children, because a step is due before the completion as well',
    { timeout: 300_000 },
    async () => {
      const story = await hubs().accepted({ type: teamName('all-fulfilled'), criteria: GOAL });
      const note = { type: 'note', criteria: GOAL, parentRecordId: story.mirrorId };
      do await ok(hubs().performer.post('/v1/records', note));
      while ((await verify(story)).status === 200);
      const complete = () => story.onMirror('completions', { evidence: { score: 9 } });
      expect((await complete()).body).toMatchObject({ status: 422, reason: 'step_due' });
      await ok(story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' }));
      await until(async () => (await story.mirror())['federation'].pendingStep === null, 60_000);
      // Home does not know the last child yet. After the step there is room for it, and the completion carries it.
      await ok(verify(story));
      expect((await complete()).status).toBeLessThan(300);
      await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
    },
  );
});

describe('a principal who opens and withdraws many disputes', () => {
  // Each message of home leaves two entries on the mirror, and the next step of the mirror carries all of them. If a step
  // had to drop entries, home would detach the record and the performer could not answer.
  it('does not silence the performer', { timeout: 300_000 }, async () => {
    const story = await hubs().completed({ type: 'contested' });
    const { latestCompletionId: completionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    await story.agree('FULFILLED');
    for (let disputes = 0; ; disputes++) {
      const opened = await story.atHome('dispute', { grounds: 'QUALITY' });
      if (opened.status === 422) {
        // The refusal names what must come first, and doing it helps.
        expect(opened.body).toMatchObject({ reason: 'peer_step_due' });
        expect(disputes).toBeGreaterThan(4);
        await ok(
          story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' }),
        );
        await until(async () => (await story.mirror())['federation'].pendingStep === null, 60_000);
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
        ok(hubs().principal.get(`/v1/records/${story.homeId}/dispute`)),
        ok(hubs().performer.get(`/v1/records/${story.mirrorId}/dispute`)),
      ]);
      return mine['evidence'].length === theirs['evidence'].length;
    }, 60_000);
    await story.onMirror('dispute/evidence', { evidence: { answer: 'It was done.' } });
    await until(
      async () => (await story.mirror())['federation'].pendingStep === null,
      60_000,
    ).catch(() => undefined);
    const views = await Promise.all([story.home(), story.mirror()]);
    const files = [
      await verifiedExport(hubs().principal, story.homeId, hubs().pair.home),
      await hubs().verifiedMirror(story),
    ];
    expect.soft(files.map(({ failures }) => failures)).toEqual([[], []]);
    expect(views.map(({ federation }) => federation.detached)).toEqual([null, null]);
    const { evidence } = await ok(hubs().principal.get(`/v1/records/${story.homeId}/dispute`));
    expect(evidence).toHaveLength(1);
  });
});
