import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_CHANGES_A_DAY } from '../../application/federation/key-change-quota.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { Stranger } from '../support/stranger.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

describe('a peer that changes its hub key again and again', { timeout: 60_000 }, () => {
  // Each is an entry of the platform chain, which every act of an operator waits for and which is read at each start; and a key
  // that is remembered for ever.
  it('is told to wait, and is known by the last key that was taken', async () => {
    const home = { service: { url: hubs.pair.home.world.url } };
    let peer = new Stranger();
    const { platform } = hubs.pair.home.world;
    await ok(platform.post('/v1/admin/federation/peers', peer.registration));
    expect((await peer.greet(home)).status).toBe(200);
    const rolled = async (): Promise<number> => {
      const next = new Stranger(peer.hubId, peer.vaultRoot, peer.baseUrl);
      const answer = await peer.greet(home, {
        publicKeyJwk: next.jwk,
        succession: next.succession(peer.hubId, peer.thumbprint),
      });
      if (answer.status === 200) peer = next;
      else expect(answer.body).toMatchObject({ code: 'RATE_LIMITED' });
      return answer.status;
    };
    for (let n = 0; n < KEY_CHANGES_A_DAY; n++) expect(await rolled()).toBe(200);
    for (let n = 0; n < 3; n++) expect(await rolled()).toBe(429);
    expect((await peer.greet(home)).status).toBe(200);
  });
});
