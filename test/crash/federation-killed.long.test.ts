import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubPair, inItsOwnProcess, until, type TestHub } from '../support/hubs/hub-pair.ts';
import { chainOf, type Answer, type Body } from '../support/service/world.ts';

interface Step {
  readonly name: string;
  act(story: FederatedStory, key: string): Promise<Answer<Body>>;
  readonly status: string;
  met?(record: Body): boolean;
}

const STEPS: readonly Step[] = [
  {
    name: 'counter-propose',
    act: (story, key) =>
      story.onMirror('counter-propose', { criteria: { goal: 'more', threshold: 7 } }, key),
    status: 'PROPOSED',
    met: ({ counterProposal }) => counterProposal !== null,
  },
  {
    name: 'accept-counter',
    act: (story, key) => story.atHome('accept-counter', {}, key),
    status: 'ACTIVE',
  },
  {
    name: 'complete',
    act: (story, key) => story.onMirror('completions', { evidence: { score: 9 } }, key),
    status: 'ACTIVE',
    met: ({ latestCompletionId }) => latestCompletionId !== null,
  },
  {
    name: 'verdict',
    act: async (story, key) => {
      const { latestCompletionId: completionId } = await story.home();
      return story.atHome('verdict', { verdict: 'accept', completionId }, key);
    },
    status: 'FULFILLED',
  },
  {
    name: 'dispute',
    act: (story, key) => story.atHome('dispute', { statement: 'Not what was agreed.' }, key),
    status: 'FULFILLED',
    met: ({ openDisputeId }) => openDisputeId !== null,
  },
  {
    name: 'evidence',
    act: (story, key) => story.onMirror('dispute/evidence', { evidence: { log: 'all runs' } }, key),
    status: 'FULFILLED',
  },
  {
    name: 'settle',
    act: (story, key) => story.atHome('dispute/withdraw', {}, key),
    status: 'FULFILLED',
    met: ({ openDisputeId }) => openDisputeId === null,
  },
];

/** When the hub dies: before a message between the two arrives, or when it was answered and the answer is lost. */
const MOMENTS = ['before', 'after'] as const;
const SIDES = ['home', 'far'] as const;

describe('a record whose hubs are killed at every step', () => {
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(inItsOwnProcess);
    await pair.peer();
  });
  afterAll(() => pair.close());

  /** Kills a hub at the next message between the two, whoever sends it, and starts it again. */
  const killAtNext = (hub: TestHub, moment: (typeof MOMENTS)[number]): (() => boolean) => {
    let isDone = false;
    const die = async ({ path }: { readonly path: string }): Promise<void> => {
      if (!/^\/federation\/v1\/(state-transitions|signals)$/.test(path) || isDone) return;
      isDone = true;
      await hub.kill();
      setTimeout(() => void hub.start(), 50);
      throw new Error('the hub was killed');
    };
    for (const { door } of [pair.home, pair.far]) {
      door.onRequest = moment === 'before' ? die : () => undefined;
      door.onAnswer = moment === 'after' ? die : () => undefined;
    }
    return () => isDone;
  };
  const areUp = () =>
    until(async () => (await pair.far.isUp()) && (await pair.home.isUp()), 60_000);

  /** The caller does not know what became of a call that broke off, and makes it again under its key. */
  const insist = async (act: () => Promise<Answer<Body>>): Promise<number> => {
    for (;;) {
      const status = await act().then(
        (answer) => answer.status,
        () => null,
      );
      if (status !== null && status !== 409 && status < 500) return status;
      await areUp();
    }
  };

  it.each(SIDES.flatMap((side) => MOMENTS.map((moment) => ({ side, moment }))))(
    'ends alike on both sides: $side is killed $moment each message',
    { timeout: 300_000 },
    async ({ side, moment }) => {
      const story = new FederatedStory(pair);
      const key = randomUUID();
      const isOffered = killAtNext(pair[side], moment);
      expect(await insist(() => story.proposeUnder(key))).toBe(201);
      await until(isOffered, 60_000);
      await areUp();
      await story.arrives();
      for (const step of STEPS) {
        const isDone = killAtNext(pair[side], moment);
        const stepKey = randomUUID();
        const status = await insist(() => step.act(story, stepKey));
        expect([step.name, status < 300, status]).toEqual([step.name, true, status]);
        await until(isDone, 60_000);
        await areUp();
        await story.agree(step.status, step.met, 60_000);
      }
      const home = await chainOf(pair.home.world.principal.client, story.homeId);
      const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
      expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
      expect(transitionsOf(home)).toHaveLength(STEPS.length + 1);
      await until(() => story.isQuiet(), 60_000);
    },
  );
});
