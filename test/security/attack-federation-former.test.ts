import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DetachPeer } from '../../application/federation/detach-peer.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import type { Body } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const shown = async (story: FederatedStory): Promise<readonly unknown[]> => {
  const { status, federation }: Body = await story.mirror();
  return [status, federation.detached];
};

/** As if the hub had been revoked and registered again, and the process had died before it ended a record. */
const registeredAgain = (): Promise<void> =>
  hubs.far[0].part(TOKENS.unitOfWork).transaction(async ({ peers }) => {
    const peer = await peers.lock(hubs.pair.home.hubId);
    await peers.update({ ...peer!, generation: peer!.generation + 1 });
  });

describe('what was shared with a hub before it was revoked', { timeout: 60_000 }, () => {
  it('takes nothing of it under its new registration, and the job ends the rest', async () => {
    const said = await hubs.opened();
    const silent = await hubs.opened();
    await registeredAgain();
    const liar = await hubs.lyingHome(said);
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      actor: liar.predicateAt(0)['actor'],
      cancelledBy: 'principal',
      awaiting: null,
    });
    const answer = await liar.send(await liar.message());
    expect([answer.status, answer.body['reason']]).toEqual([422, 'record_detached']);
    expect(answer.body['detail']).toContain('peer_revoked');
    expect(await shown(said)).toEqual(['EXPIRED', 'peer_revoked']);
    await until(async () => (await shown(silent))[1] !== null, 20_000);
    expect(await shown(silent)).toEqual(['EXPIRED', 'peer_revoked']);
  });

  it('does not touch what is shared since', async () => {
    const story = await hubs.opened();
    await story.onMirror('accept');
    await story.agree('ACTIVE');
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await shown(story)).toEqual(['ACTIVE', null]);
  });

  it('is ended in stretches, and one edited record keeps no other from its end', async () => {
    const stories = [await hubs.opened(), await hubs.opened(), await hubs.opened()];
    const peer = await hubs.far[0].part(TOKENS.peerReads).find(hubs.pair.home.hubId);
    const detachPeer = hubs.far[0].part(DetachPeer);
    const revoked = { ...peer!, status: 'REVOKED' } as const;
    const detached = async (): Promise<number> =>
      (await Promise.all(stories.map(shown))).filter(([, reason]) => reason !== null).length;
    let left = 2;
    expect(await detachPeer.of(revoked, 'test', () => left-- > 0)).toBe(false);
    const before = await detached();
    expect(before).toBeLessThan(3);
    const open: FederatedStory[] = [];
    for (const story of stories) if ((await shown(story))[1] === null) open.push(story);
    hubs.edit("UPDATE records SET status = 'ACTIVE' WHERE id = ?", open[0]!.mirrorId);
    expect(await detachPeer.of(revoked, 'test', () => true)).toBe(true);
    expect(await detached()).toBe(2);
  });
});
