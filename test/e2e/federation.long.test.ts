import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubPair, inItsOwnProcess } from '../support/hubs/hub-pair.ts';
import { chainOf, ok } from '../support/service/world.ts';

/** Two real processes, which reach each other over TLS alone, and are killed in the middle of the story. */
describe('two processes and one record', () => {
  let pair: HubPair;
  let story: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(inItsOwnProcess);
    await pair.peer();
    story = new FederatedStory(pair);
  });
  afterAll(() => pair.close());

  it('goes on where the far side was killed before it heard of the record', async () => {
    await pair.far.kill();
    await story.propose();
    await sleep(200);
    await pair.far.start();
    expect(await story.arrives()).toMatchObject({ status: 'PROPOSED' });
  });

  it('goes on where home is killed once it applied a step, before its answer leaves', async () => {
    pair.home.door.onAnswer = async ({ path }, { status }) => {
      if (path !== '/federation/v1/state-transitions' || status !== 200) return;
      pair.home.door.onAnswer = () => undefined;
      await pair.home.kill();
      throw new Error('home was killed');
    };
    const counter = { criteria: { goal: 'more', threshold: 7 }, message: 'For more.' };
    const { status, body } = await story.onMirror('counter-propose', counter);
    expect([status, body['status']]).toEqual([200, 'PROPOSED']);
    // Home's own message leaves at once, and may have come before home was killed.
    const { pendingStep } = body['federation'];
    if (pendingStep !== null) {
      expect(pendingStep).toMatchObject({ action: 'counter-propose', sequence: 1 });
      expect((await story.onMirror('accept')).status).toBe(409);
    }
    await pair.home.start();
    await story.agree('PROPOSED', ({ counterProposal }) => counterProposal !== null);
  });

  it('ends alike on both sides, each step once', async () => {
    await ok(story.atHome('accept-counter'));
    await story.agree('ACTIVE');
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
    const { latestCompletionId: completionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    await story.agree('FULFILLED');
    const home = await chainOf(pair.home.world.principal.client, story.homeId);
    const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
    expect(transitionsOf(home)).toEqual([
      'create: null→PROPOSED',
      'counter-propose: PROPOSED→PROPOSED',
      'accept-counter: PROPOSED→ACTIVE',
      'submit-completion: ACTIVE→ACTIVE',
      'render-verdict: ACTIVE→FULFILLED',
    ]);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
  });
});
