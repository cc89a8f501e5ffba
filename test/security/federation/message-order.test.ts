import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { AdmitPeer } from '../../../application/federation/admit-peer.ts';
import { HubKeys } from '../../../application/federation/hub-keys.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { PEER_PATHS, signInput } from '../../../domain/federation/request-signature.ts';
import { LyingHub } from '../../support/attackers/lying-hub.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { ok, type Body } from '../../support/service/world.ts';

const hubs = useLyingPair();

describe('an offer that arrives several times at once', () => {
  it('makes one record, and each request gets the same answer', async () => {
    const { story, body } = await hubs().whileFarIsUnreachable(() => hubs().undelivered());
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    const answers = await Promise.all([1, 2, 3, 4].map(() => liar.send(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body: { attestation } }) => attestation)).size).toBe(1);
  });

  it('gets no 500', async () => {
    const { story, body } = await hubs().whileFarIsUnreachable(() => hubs().undelivered());
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    const answers = await Promise.all(Array.from({ length: 6 }, () => liar.send(body)));
    expect(answers.map(({ status }) => status)).not.toContain(500);
  });
});

describe('a message whose body arrives late', () => {
  const peerAtFar = async () =>
    (await hubs().far[0].part(TOKENS.peerReads).find(hubs().pair.home.hubId))!;
  /** The peer as it was admitted before its body arrived. */
  const admitted = async () => {
    const { hubId, publicKeyThumbprint, generation, vaultRoot } = await peerAtFar();
    return { hubId, publicKeyThumbprint, generation, vaultRoot };
  };
  const inbox = () => hubs().far[0].part(TOKENS.peerReceivers)!.stateTransitions;

  it('does not seal an equivocation after its peer is suspended', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1);
    expect((await liar.send(await liar.message())).status).toBe(200);
    liar.sequence--;
    await liar.refer(2);
    const other = await liar.message();
    const peer = await admitted();
    const path = `/v1/admin/federation/peers/${peer.hubId}`;
    const { platform } = hubs().pair.far.world;
    await ok(platform.post(`${path}/suspend`, { reason: 'under inquiry' }));
    try {
      await inbox()
        .execute(peer, other, 'late')
        .catch(() => undefined);
      const types = await hubs().typesAt(hubs().performer, story.mirrorId);
      expect(types).not.toContain('PEER_EQUIVOCATION');
    } finally {
      await ok(platform.post(`${path}/resume`, {}));
    }
  });

  it('is not applied after its peer replaced the hub key that signed it', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1);
    const message = await liar.message();
    const peer = await admitted();
    await ok(hubs().pair.home.world.platform.post('/v1/admin/federation/hub-key/rotate', {}));
    await until(async () => (await peerAtFar()).publicKeyThumbprint !== peer.publicKeyThumbprint);
    await inbox()
      .execute(peer, message, 'late')
      .catch(() => undefined);
    expect((await story.mirror())['references']).toEqual([]);
  });

  it('is not taken after its peer is suspended', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1);
    const step = await liar.message();
    const peer = await admitted();
    await hubs().whileFarIsUnreachable(async () => {
      const { story: late, body: offer } = await hubs().undelivered();
      const path = `/v1/admin/federation/peers/${peer.hubId}`;
      const { platform } = hubs().pair.far.world;
      await ok(platform.post(`${path}/suspend`, { reason: 'under inquiry' }));
      try {
        const refused = { code: 'UNAUTHORIZED' };
        await expect(inbox().execute(peer, offer, 'late-offer')).rejects.toMatchObject(refused);
        await expect(inbox().execute(peer, step, 'late-step')).rejects.toMatchObject(refused);
        const reads = hubs().far[0].part(TOKENS.federationReads);
        expect(await reads.mirrorOf(peer.hubId, late.homeId)).toBeNull();
        expect(await reads.incomingOf(story.mirrorId)).toHaveLength(1);
        expect(await hubs().typesAt(hubs().performer, story.mirrorId)).toHaveLength(2);
      } finally {
        await ok(platform.post(`${path}/resume`, {}));
      }
    });
  });

  // This test is the last one because it revokes the peer.
  it('is not taken if its peer is revoked before the rest of the body arrives', async () => {
    // The door stays shut: the request below goes to the hub itself.
    hubs().pair.far.door.isShut = true;
    const { story, offer } = await hubs().undelivered();
    const body = Buffer.from(offer.body);
    const [runtime] = hubs().home;
    const peer = await runtime.part(TOKENS.peerReads).find(hubs().pair.far.hubId);
    const key = await runtime.part(HubKeys).of(peer!.ownKeyThumbprint);
    const path = PEER_PATHS.stateTransitions;
    const timestamp = new Date().toISOString();
    const nonce = 'a'.repeat(30);
    const signature = Buffer.from(key.sign(signInput(path, body, timestamp, nonce)));
    const begun = vi.spyOn(hubs().far[0].part(AdmitPeer), 'activePeer');
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        `${String(hubs().pair.far.door.hub)}${path}`,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': body.length,
            'x-service-peer-hub-id': hubs().pair.home.hubId,
            'x-service-timestamp': timestamp,
            'x-service-nonce': nonce,
            'x-service-signature': signature.toString('base64'),
          },
        },
        (response) => void response.resume().on('end', () => resolve(response.statusCode!)),
      );
      sent.on('error', reject);
      sent.write(body.subarray(0, 10));
      const revoke = async (): Promise<Body> => {
        await until(() => begun.mock.results.length > 0);
        await begun.mock.results[0]!.value;
        return ok(
          hubs().pair.far.world.platform.post(
            `/v1/admin/federation/peers/${hubs().pair.home.hubId}/revoke`,
            { reason: 'It is over.' },
          ),
        );
      };
      revoke().then(() => void sent.end(body.subarray(10)), reject);
    });
    expect([status, (await hubs().mirrorsOf(story.homeId)).length]).toEqual([401, 0]);
  });
});
