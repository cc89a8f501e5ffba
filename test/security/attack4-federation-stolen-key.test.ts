import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

/** As if the wait after attempts that got lost had passed. */
const hurried = (): void => {
  try {
    hubs.edit('UPDATE federation_lanes SET due_at = 0 WHERE stopped_at IS NULL AND due_at > 0');
  } catch {
    // Nothing waits.
  }
};

describe(
  'a hub that retires a stolen vault key while an answer is lost',
  { timeout: 180_000 },
  () => {
    // What it attested stands on its chain and cannot be signed anew. Once the other hub has heard of the retirement it takes that
    // attestation no more: it asks again for seven days, and again after each recovery. The step waits for ever.
    it('leaves no step waiting', async () => {
      const { home, far } = hubs.pair;
      const story = await hubs.opened();
      await ok(story.onMirror('accept'));
      await story.agree('ACTIVE');
      let isLost = true;
      let lost = 0;
      home.door.onAnswer = ({ body }) => {
        if (!isLost || !body.includes('"action":"add-reference"')) return;
        lost++;
        throw new Error('the answer is lost');
      };
      far.door.isShut = true;
      await story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' });
      await until(() => lost > 0);
      await ok(
        home.world.platform.post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }),
      );
      // A peer is asked for its keys once a minute by one process; the next process asks at once.
      await far.kill();
      await far.start();
      far.door.isShut = false;
      // The other hub hears of it by the message of another record, or of this one.
      await hubs.opened();
      isLost = false;
      const isTaken = async (): Promise<boolean> => {
        hurried();
        return (await story.mirror())['federation'].pendingStep === null;
      };
      await until(isTaken, 30_000);
      await ok(story.onMirror('completions', { evidence: { score: 9 } }));
      await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
      await until(() => story.isQuiet());
      const { failures } = await hubs.verifiedMirror(story);
      expect(
        failures.filter((failure) => !JSON.stringify(failure).includes('cannot tell')),
      ).toEqual([]);
    });
  },
);
