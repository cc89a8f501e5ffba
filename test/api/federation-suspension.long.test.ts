import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { HubPair, inProcess, until } from '../support/hubs/hub-pair.ts';
import { chainOf, ok, type Body } from '../support/service/world.ts';

/** What administrators and the network do to two hubs that share records. */
describe.each(databases())('a line between two hubs, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  let revoked: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, own.env);
    await pair.peer();
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  const dlq = async (hub: HubPair['home'], recordId: string): Promise<readonly Body[]> => {
    const { data } = await ok(
      hub.world.platform.get(`/federation/v1/admin/dlq?recordId=${recordId}`),
    );
    return data as Body[];
  };
  const act = (hub: HubPair['home'], { hubId }: HubPair['home'], what: string) =>
    ok(hub.world.platform.post(`/v1/admin/federation/peers/${hubId}/${what}`, {}));
  const opened = async (): Promise<FederatedStory> => {
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    return story;
  };

  it('is cut: the call says which step waits, and the step takes place when the line is back', async () => {
    const story = await opened();
    pair.home.door.isShut = true;
    const { status, body } = await story.onMirror('accept');
    expect([status, body['status']]).toEqual([200, 'PROPOSED']);
    expect(body['federation'].pendingStep).toMatchObject({ action: 'accept', sequence: 1 });
    const second = await story.onMirror('reject', { reason: 'No.' });
    expect([second.status, second.body['code']]).toEqual([409, 'STEP_PENDING']);
    pair.home.door.isShut = false;
    await story.agree('ACTIVE');
  });

  it('waits while the peer is suspended, and goes on when it is resumed', async () => {
    const story = await opened();
    await act(pair.home, pair.far, 'suspend');
    await ok(story.atHome('cancel', { reason: 'Not needed.' }));
    const waiting = pair.far.door.passed.length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(pair.far.door.passed).toHaveLength(waiting);
    expect((await story.mirror())['status']).toBe('PROPOSED');
    expect(await dlq(pair.home, story.homeId)).toEqual([]);
    await act(pair.home, pair.far, 'resume');
    await story.agree('CANCELLED');
  });

  it('delivers what was queued before the signing key was rotated', async () => {
    // Opened before: a message by a key that is new to the peer may wait a minute until that asks for keys again.
    revoked = await opened();
    const story = await opened();
    pair.far.door.isShut = true;
    await ok(story.atHome('cancel', { reason: 'Not needed.' }));
    await ok(pair.home.world.platform.post('/v1/admin/vault/signing-keys/rotate', {}));
    pair.far.door.isShut = false;
    await story.agree('CANCELLED');
    const home = await chainOf(pair.home.world.principal.client, story.homeId);
    const mirror = await chainOf(pair.far.world.performer.client, story.mirrorId);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
  });

  it('ends with the revocation: what waited is in the DLQ, and no recovery sends it', async () => {
    const story = revoked;
    await act(pair.home, pair.far, 'suspend');
    await ok(story.atHome('cancel', { reason: 'Not needed.' }));
    await act(pair.home, pair.far, 'revoke');
    const { platform } = pair.home.world;
    await until(async () => (await dlq(pair.home, story.homeId)).length > 0);
    const [letter] = await dlq(pair.home, story.homeId);
    expect(letter).toMatchObject({ reason: 'peer_revoked', peerHubId: pair.far.hubId });
    expect(
      await ok(platform.post('/federation/v1/admin/dlq/recover', { recordId: story.homeId })),
    ).toMatchObject({ recovered: 0, remaining: 1 });
    await act(pair.far, pair.home, 'revoke');
    await until(async () => (await story.mirror())['status'] === 'EXPIRED');
    expect((await story.mirror())['federation']).toMatchObject({ detached: 'peer_revoked' });
  });
});
