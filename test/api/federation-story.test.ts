import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickDatabases } from '../support/databases/databases.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubPair, inProcess, until } from '../support/hubs/hub-pair.ts';
import { chainOf, ok, type Body } from '../support/service/world.ts';

describe.each(quickDatabases())('two hubs and one record, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  let story: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, own.env);
    await pair.peer();
    story = new FederatedStory(pair);
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
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

  it('a mirror decides on decimals as home does: 19.99 and 4.02 are whole cents', async () => {
    const manifest = {
      type: 'invoice',
      criteriaSchema: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'number', multipleOf: 0.01 } },
      },
      completionSchema: { type: 'object' },
    };
    await ok(pair.home.world.admin.post('/v1/schemas', manifest));
    const invoice = new FederatedStory(pair);
    await invoice.propose({ type: 'invoice', criteria: { amount: 19.99 } });
    expect(await invoice.arrives()).toMatchObject({ criteria: { amount: 19.99 } });
    const counter = (amount: number) =>
      invoice.onMirror('counter-propose', { criteria: { amount }, message: 'Another amount.' });
    expect((await counter(4.021)).status).toBe(422);
    await ok(counter(4.02));
    await ok(invoice.atHome('accept-counter'));
    await invoice.agree('ACTIVE', ({ criteria }) => criteria.amount === 4.02);
  });

  it('both chains tell the same, and nothing waits', async () => {
    const home = await chainOf(pair.home.world.principal.client, story.homeId);
    const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
    expect(transitionsOf(home).length).toBeGreaterThan(6);
    await until(() => story.isQuiet());
  });
});
