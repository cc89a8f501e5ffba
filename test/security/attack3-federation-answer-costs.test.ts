import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestGap } from '../support/event-loop-gap.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { HubPair, until } from '../support/hub-pair.ts';

/** Shorter than the longest answer that is read: 2 × (2 × MAX_BODY_BYTES + 512 KiB). */
const SIZE = 5_200_000;
const answers: Readonly<Record<string, string>> = {
  'a million and a half of empty messages': `{"messages":[${'{},'.repeat(SIZE / 3)}{}]}`,
  'as many, and a member twice at the end': `{"messages":[${'{},'.repeat(SIZE / 3)}{"a":1,"a":2}]}`,
  'half a million of members': `{${Array.from({ length: 450_000 }, (_, at) => `"${at.toString(36)}":0`).join(',')}}`,
};

describe('a peer whose answer is long', { timeout: 60_000 }, () => {
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open();
    await pair.peer();
  }, 60_000);
  afterAll(() => pair?.close());

  /** What the peer answers to the next message, instead of what its hub says. */
  const answeringOnce = (body: Buffer): { readonly isAnswered: () => boolean } => {
    let isAnswered = false;
    pair.far.door.onAnswer = ({ path }, answer) => {
      if (isAnswered || path !== '/federation/v1/state-transitions') return;
      isAnswered = true;
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      Object.assign(answer, { status: 200, body, headers });
    };
    return { isAnswered: () => isAnswered };
  };

  it('control: a short one', async () => {
    const { isAnswered } = answeringOnce(Buffer.from('{"messages":[{}]}'));
    const story = new FederatedStory(pair);
    const gap = await longestGap(async () => {
      await story.propose();
      await until(isAnswered);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    });
    expect(gap).toBeLessThan(150);
  });

  // The bodies of its requests are parsed beside the event loop, within a number of values; its answers are not.
  it.each(Object.keys(answers))('%s keep nobody else waiting', async (name) => {
    const { isAnswered } = answeringOnce(Buffer.from(answers[name]!));
    const story = new FederatedStory(pair);
    const gap = await longestGap(async () => {
      await story.propose();
      await until(isAnswered);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    });
    expect(gap).toBeLessThan(150);
  });
});
