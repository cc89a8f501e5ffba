import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const peerAtFar = async () =>
  (await hubs.far[0].part(TOKENS.peerReads).find(hubs.pair.home.hubId))!;
/** Who was admitted before its body had come. */
const admitted = async () => {
  const { hubId, publicKeyThumbprint, generation, vaultRoot } = await peerAtFar();
  return { hubId, publicKeyThumbprint, generation, vaultRoot };
};
const inbox = () => hubs.far[0].part(TOKENS.peerReceivers)!.stateTransitions;

describe('a message whose body was held back', { timeout: 60_000 }, () => {
  // An equivocation is sealed, and the record detached, by whoever is suspended.
  it('seals nothing after its peer was suspended', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.refer(1);
    expect((await liar.send(await liar.message())).status).toBe(200);
    liar.sequence--;
    await liar.refer(2);
    const other = await liar.message();
    const peer = await admitted();
    const path = `/v1/admin/federation/peers/${peer.hubId}`;
    const { platform } = hubs.pair.far.world;
    await ok(platform.post(`${path}/suspend`, { reason: 'under inquiry' }));
    try {
      await inbox()
        .execute(peer, other, 'late')
        .catch(() => undefined);
      const types = await hubs.typesAt(hubs.performer, story.mirrorId);
      expect(types).not.toContain('PEER_EQUIVOCATION');
    } finally {
      await ok(platform.post(`${path}/resume`, {}));
    }
  });

  // Only the status is asked for under the lock, and neither the key nor the registration.
  it('is not applied after the hub key that signed it was rolled over', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.refer(1);
    const message = await liar.message();
    const peer = await admitted();
    await ok(hubs.pair.home.world.platform.post('/v1/admin/federation/hub-key/rotate', {}));
    await until(async () => (await peerAtFar()).publicKeyThumbprint !== peer.publicKeyThumbprint);
    await inbox()
      .execute(peer, message, 'late')
      .catch(() => undefined);
    expect((await story.mirror())['references']).toEqual([]);
  });
});
