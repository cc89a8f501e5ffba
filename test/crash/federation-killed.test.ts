import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FederatedStory, transitionsOf } from '../support/federated-story.ts';
import { HubPair, inItsOwnProcess, until, type TestHub } from '../support/hub-pair.ts';
import { chainOf, ok, type Answer, type Body } from '../support/world.ts';

interface Step {
  readonly name: string;
  act(story: FederatedStory): Promise<Answer<Body>>;
  readonly status: string;
  met?(record: Body): boolean;
}

const STEPS: readonly Step[] = [
  {
    name: 'counter-propose',
    act: (story) => story.onMirror('counter-propose', { criteria: { goal: 'more', threshold: 7 } }),
    status: 'PROPOSED',
    met: ({ counterProposal }) => counterProposal !== null,
  },
  { name: 'accept-counter', act: (story) => story.atHome('accept-counter'), status: 'ACTIVE' },
  {
    name: 'complete',
    act: (story) => story.onMirror('completions', { evidence: { score: 9 } }),
    status: 'ACTIVE',
    met: ({ latestCompletionId }) => latestCompletionId !== null,
  },
  {
    name: 'verdict',
    act: async (story) =>
      story.atHome('verdict', {
        verdict: 'accept',
        completionId: (await story.home())['latestCompletionId'],
      }),
    status: 'FULFILLED',
  },
  {
    name: 'dispute',
    act: (story) => story.atHome('dispute', { statement: 'Not what was agreed.' }),
    status: 'FULFILLED',
    met: ({ openDisputeId }) => openDisputeId !== null,
  },
  {
    name: 'evidence',
    act: (story) => story.onMirror('dispute/evidence', { evidence: { log: 'all runs' } }),
    status: 'FULFILLED',
  },
  {
    name: 'settle',
    act: (story) => story.atHome('dispute/withdraw'),
    status: 'FULFILLED',
    met: ({ openDisputeId }) => openDisputeId === null,
  },
];

/** Where the hub dies: before a request of its peer reaches it, or when it answered and the answer is lost. */
const MOMENTS = ['before', 'after'] as const;
const SIDES = ['home', 'far'] as const;

describe('a record whose hubs are killed at every step', () => {
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(inItsOwnProcess);
    await pair.peer();
  });
  afterAll(() => pair.close());

  /** Kills at the next request between the hubs that reaches this one, and starts it again. */
  const killAt = (
    hub: TestHub,
    moment: (typeof MOMENTS)[number],
  ): { readonly done: () => boolean } => {
    let isDone = false;
    const die = async ({ path }: { readonly path: string }): Promise<void> => {
      if (!/^\/federation\/v1\/(state-transitions|signals)$/.test(path) || isDone) return;
      isDone = true;
      await hub.kill();
      setTimeout(() => void hub.start(), 50);
      throw new Error('the hub was killed');
    };
    hub.door.onRequest = moment === 'before' ? die : () => undefined;
    hub.door.onAnswer = moment === 'after' ? die : () => undefined;
    return { done: () => isDone };
  };

  it.each(SIDES.flatMap((side) => MOMENTS.map((moment) => ({ side, moment }))))(
    'ends alike on both sides: $side is killed $moment each request',
    { timeout: 300_000 },
    async ({ side, moment }) => {
      const story = new FederatedStory(pair);
      if (side === 'far') killAt(pair.far, moment);
      await story.propose();
      await until(async () => (await pair.far.isUp()) && (await pair.home.isUp()));
      await story.arrives();
      for (const step of STEPS) {
        const { done } = killAt(pair[side], moment);
        const { status } = await step.act(story);
        expect([step.name, status < 300]).toEqual([step.name, true]);
        await until(done, 30_000);
        await until(() => pair[side].isUp(), 30_000);
        await story.agree(step.status, step.met, 60_000);
      }
      const home = await chainOf(pair.home.world.principal.client, story.homeId);
      const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
      expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
      expect(transitionsOf(home)).toHaveLength(STEPS.length + 1);
      const { total } = await ok(pair.home.world.platform.get('/federation/v1/admin/dlq'));
      expect(total).toBe(0);
    },
  );
});
