import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases.ts';
import { FederatedStory, transitionsOf } from '../support/federated-story.ts';
import { HubPair, inProcess, until } from '../support/hub-pair.ts';
import { freshSecrets } from '../support/stored-chains.ts';
import { chainOf, ok, type Body } from '../support/world.ts';

describe.each(databases())('two hubs and one record, on $name', (kind) => {
  const own: TestDatabase[] = [];
  let pair: HubPair;
  let story: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, async () => {
      const database = await kind.open({ migrated: false });
      own.push(database);
      return { DATABASE_URL: database.url, ...freshSecrets() };
    });
    await pair.peer();
    story = new FederatedStory(pair);
  });
  afterAll(async () => {
    await pair?.close();
    for (const database of own) await database.drop();
  });

  it('propose: the record comes to the performer, under an id of its own', async () => {
    const record = await story.propose();
    expect(record).toMatchObject({
      status: 'PROPOSED',
      federation: { role: 'home', peerHubId: pair.far.hubId, pendingStep: null, detached: null },
    });
    const mirror = await story.arrives();
    expect(mirror).toMatchObject({
      status: 'PROPOSED',
      criteriaHash: record['criteriaHash'],
      federation: { role: 'mirror', peerHubId: pair.home.hubId, recordId: story.homeId },
    });
    expect(mirror['id']).not.toBe(story.homeId);
  });

  it('counter-propose and accept-counter: each side acts on its own hub', async () => {
    const counter = { criteria: { goal: 'more', threshold: 7 }, message: 'For more.' };
    const offered = await ok(story.onMirror('counter-propose', counter));
    expect(offered['federation'].pendingStep).toBeNull();
    await story.agree('PROPOSED', ({ counterProposal }) => counterProposal !== null);
    expect((await story.home())['counterProposal']).toMatchObject(counter);
    await ok(story.atHome('accept-counter'));
    await story.agree('ACTIVE', ({ criteria }) => criteria.threshold === 7);
  });

  it('complete and verdict: judged at home, told on both sides', async () => {
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const home = await story.home();
    expect(home['latestCompletionId']).not.toBeNull();
    await ok(
      story.atHome('verdict', { verdict: 'accept', completionId: home['latestCompletionId'] }),
    );
    await story.agree('FULFILLED');
  });

  it('dispute: opened at home, evidence from the other side, settled', async () => {
    const { grounds = 'QUALITY' } = {} as Body;
    await ok(story.atHome('dispute', { grounds, statement: 'It is not what was agreed.' }));
    await story.agree('FULFILLED', ({ disputed }) => disputed === true);
    await ok(story.onMirror('dispute/evidence', { evidence: { log: 'all runs' } }));
    await ok(story.atHome('dispute/withdraw'));
    await story.agree('FULFILLED', ({ openDisputeId }) => openDisputeId === null);
  });

  it('both chains tell the same, and nothing waits', async () => {
    const home = await chainOf(pair.home.world.principal.client, story.homeId);
    const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
    expect(transitionsOf(home).length).toBeGreaterThan(6);
    await until(() => story.isQuiet());
  });
});
