import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PEER_PATHS } from '../../../domain/federation/request-signature.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { pinnedExport } from '../../support/attackers/forged-bytes.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { FederatedStory } from '../../support/hubs/federated-story.ts';
import { HubDatabases } from '../../support/hubs/hub-databases.ts';
import { HubPair, inProcess, until } from '../../support/hubs/hub-pair.ts';
import { ShiftedDate } from '../../support/service/shifted-date.ts';
import { ok } from '../../support/service/world.ts';

const AHEAD_MS = 3 * 3_600_000;

// The hubs start three hours ahead, and so do their keys and all that they wrote.
describe.each(quickDatabases())('two hubs on $name whose clocks are set back', (kind) => {
  const databases = new HubDatabases(kind);
  let date: ShiftedDate;
  let pair: HubPair;
  beforeAll(async () => {
    date = new ShiftedDate();
    date.aheadMs = AHEAD_MS;
    pair = await HubPair.open(inProcess, databases.env);
    await pair.peer();
  });
  beforeEach(() => {
    date.aheadMs = AHEAD_MS;
  });
  afterAll(async () => {
    date.restore();
    await pair.close();
    await databases.drop();
  });

  const expectGenuine = async (story: FederatedStory): Promise<void> => {
    const { home, far } = pair;
    const { verdict, report } = await verifyBothSides(
      await pinnedExport(home.world.principal.client, story.homeId, home),
      await pinnedExport(far.world.performer.client, story.mirrorId, far),
    );
    expect([verdict, report.failures.map(({ detail }) => detail)]).toEqual(['valid', []]);
    expect(await story.isQuiet()).toBe(true);
  };

  it('share a record that is opened afterwards', async () => {
    date.aheadMs = 0;
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    await expectGenuine(story);
  });

  it('continue a record that they shared before', async () => {
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    date.aheadMs = 0;
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    await expectGenuine(story);
  });

  it('deliver what waits for a second attempt', async () => {
    const { door } = pair.far;
    let cut = 0;
    door.onRequest = ({ path }) => {
      if (path !== PEER_PATHS.stateTransitions) return;
      cut++;
      throw new Error('the network is cut');
    };
    const story = new FederatedStory(pair);
    await story.propose();
    const waiting = async (): Promise<boolean> => {
      const lanes = await databases.all[0]!.raw('SELECT due_at FROM federation_lanes');
      return lanes.some(({ due_at }) => Number(due_at) > Date.now());
    };
    await until(async () => cut > 0 && (await waiting()));
    date.aheadMs = 0;
    door.onRequest = () => undefined;
    await until(async () => (await story.home())['federation'].recordId !== null);
    await story.arrives();
    await expectGenuine(story);
  });
});
