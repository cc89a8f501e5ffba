import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifiedExport } from '../support/forged-bytes.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { GOAL, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

describe('a record of two honest hubs whose gates decide', { timeout: 120_000 }, () => {
  // Nobody lies. When home has applied the submission, the call on the mirror goes on as a local one does, and the mirror
  // evaluates the gates itself: an entry that no verifier takes of a mirror. Home's own evaluation is then BROKEN there.
  it.each(['the answer', 'a message of its own'])(
    'is decided at home alone, told by %s',
    async (by) => {
      const story = await hubs.opened({ type: 'auto-job', criteria: GOAL });
      await ok(story.onMirror('accept'));
      await story.agree('ACTIVE');
      // The network is slow for whatever home has to say of its gates.
      if (by !== 'the answer')
        hubs.pair.far.door.onRequest = async ({ body }) => {
          if (body.includes('"action":"evaluate"')) await new Promise((r) => setTimeout(r, 1_500));
        };
      await ok(story.onMirror('completions', { evidence: { score: 9 } }));
      await story.agree('FULFILLED');
      await new Promise((r) => setTimeout(r, 3_000));
      const shown = await Promise.all([story.home(), story.mirror()]);
      const reports = [
        await verifiedExport(hubs.principal, story.homeId, hubs.pair.home),
        await hubs.verifiedMirror(story),
      ];
      expect.soft(reports.map(({ failures }) => failures)).toEqual([[], []]);
      expect(shown.map(({ federation }) => federation.detached)).toEqual([null, null]);
    },
  );
});
