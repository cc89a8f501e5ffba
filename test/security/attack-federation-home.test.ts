import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FederatedStory } from '../support/federated-story.ts';
import { HubPair, inProcess, type OpenRuntime } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { chainOf } from '../support/world.ts';

let pair: HubPair;
const runtimes: OpenRuntime[] = [];
beforeAll(async () => {
  pair = await HubPair.open(async (env, directory) => {
    const runtime = await inProcess(env, directory);
    runtimes.push(runtime);
    return runtime;
  });
  await pair.peer();
}, 60_000);
afterAll(() => pair?.close());

const home = () => [runtimes[0]!, pair.home] as const;
const far = () => [runtimes[1]!, pair.far] as const;
const opened = async (): Promise<FederatedStory> => {
  const story = new FederatedStory(pair);
  await story.propose();
  await story.arrives();
  return story;
};

describe('a home that lies', () => {
  it('says that the performer accepted, who never did', async () => {
    const story = await opened();
    const liar = await LyingHub.on(home(), far(), story.homeId);
    await liar.seal('record-state', {
      ...liar.repeated(),
      entryType: 'PROPOSAL_ACCEPTED',
      at: new Date().toISOString(),
      requestId: randomUUID(),
      actor: { kind: 'peer', peerHubId: pair.far.hubId },
      transition: { action: 'accept', from: 'PROPOSED', to: 'ACTIVE' },
      awaiting: 'performer',
    });
    const answer = await liar.send(await liar.message({}));
    console.log(JSON.stringify(answer));
    const mirror = await story.mirror();
    console.log(mirror['status'], JSON.stringify(mirror['federation']));
    const types = (await chainOf(pair.far.world.performer.client, story.mirrorId)).map(
      ({ entryType }) => entryType,
    );
    console.log(types);
    expect(mirror['status']).toBe('PROPOSED');
  });
});
