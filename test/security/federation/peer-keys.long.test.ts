import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { DetachPeer } from '../../../application/federation/detach-peer.ts';
import { KEY_CHANGES_A_DAY } from '../../../application/federation/key-change-quota.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { pinnedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { Stranger } from '../../support/hubs/stranger.ts';
import { ok, type Body } from '../../support/service/world.ts';

const hubs = useLyingPair();

describe('a peer that changes its hub key again and again', () => {
  // Each change is an entry of the platform chain, which every act of an operator waits for and each start reads.
  it('is limited, and stays known by the last accepted key', async () => {
    const home = { service: { url: hubs().pair.home.world.url } };
    let peer = new Stranger();
    const { platform } = hubs().pair.home.world;
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

describe('a hub that retires a stolen vault key while an answer is lost', () => {
  /** Ends the waits of all delivery queues. */
  const hurried = (): void => {
    try {
      hubs().edit('UPDATE federation_lanes SET due_at = 0 WHERE stopped_at IS NULL AND due_at > 0');
    } catch {
      // `edit` expects one row, and here any number is right.
    }
  };

  // Its attestation is on its chain and cannot be signed again. After the other hub learns of the retirement it does not
  // accept that attestation, so without a new answer the step would wait forever.
  it('does not leave the step of the performer pending', async () => {
    const { home, far } = hubs().pair;
    const story = await hubs().accepted();
    let isLost = true;
    let lost = 0;
    home.door.onAnswer = ({ body }) => {
      if (!isLost || !body.includes('"action":"add-reference"')) return;
      lost++;
      throw new Error('the answer is lost');
    };
    far.door.isShut = true;
    await story.onMirror('references', { kind: 'document', uri: 'https://files.example/1' });
    await until(() => lost > 0);
    await ok(
      home.world.platform.post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }),
    );
    // A process requests the keys of a peer once a minute, and a new process requests them at once.
    await far.kill();
    await far.start();
    far.door.isShut = false;
    // The message of another record, or of this one, informs the other hub of the retirement.
    await hubs().opened();
    isLost = false;
    const isTaken = async (): Promise<boolean> => {
      hurried();
      return (await story.mirror())['federation'].pendingStep === null;
    };
    await until(isTaken, 60_000);
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
    await hubs().settled(story);
    const { failures } = await hubs().verifiedMirror(story);
    expect(failures.filter((failure) => !JSON.stringify(failure).includes('cannot tell'))).toEqual(
      [],
    );
  });
});

describe('what was shared with a hub before it was revoked', () => {
  const view = async (story: FederatedStory): Promise<readonly unknown[]> => {
    const { status, federation }: Body = await story.mirror();
    return [status, federation.detached];
  };

  /** As if the hub was revoked and registered again, and the process died before it detached a record. */
  const registeredAgain = (): Promise<void> =>
    hubs()
      .far[0].part(TOKENS.unitOfWork)
      .transaction(async ({ peers }) => {
        const peer = await peers.lock(hubs().pair.home.hubId);
        await peers.update({ ...peer!, generation: peer!.generation + 1 });
      });

  it('is not changed under the new registration, and a job ends it', async () => {
    const active = await hubs().opened();
    const silent = await hubs().opened();
    await registeredAgain();
    const liar = await hubs().lyingHome(active);
    await liar.say('RECORD_CANCELLED', ['cancel', 'PROPOSED', 'CANCELLED'], {
      actor: liar.predicateAt(0)['actor'],
      cancelledBy: 'principal',
      awaiting: null,
    });
    const answer = await liar.send(await liar.message());
    expect([answer.status, answer.body['reason']]).toEqual([422, 'record_detached']);
    expect(answer.body['detail']).toContain('peer_revoked');
    expect(await view(active)).toEqual(['EXPIRED', 'peer_revoked']);
    await until(async () => (await view(silent))[1] !== null, 60_000);
    expect(await view(silent)).toEqual(['EXPIRED', 'peer_revoked']);
  });

  it('does not end what was shared since', async () => {
    const story = await hubs().opened();
    await story.onMirror('accept');
    await story.agree('ACTIVE');
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await view(story)).toEqual(['ACTIVE', null]);
  });

  it('is ended in batches, and one edited record does not protect another', async () => {
    const stories = [await hubs().opened(), await hubs().opened(), await hubs().opened()];
    const peer = await hubs().far[0].part(TOKENS.peerReads).find(hubs().pair.home.hubId);
    const detachPeer = hubs().far[0].part(DetachPeer);
    const revoked = { ...peer!, status: 'REVOKED' } as const;
    const detached = async (): Promise<number> =>
      (await Promise.all(stories.map(view))).filter(([, reason]) => reason !== null).length;
    let left = 2;
    expect(await detachPeer.of(revoked, 'test', () => left-- > 0)).toBe(false);
    const before = await detached();
    expect(before).toBeLessThan(3);
    const open: FederatedStory[] = [];
    for (const story of stories) if ((await view(story))[1] === null) open.push(story);
    hubs().edit("UPDATE records SET status = 'ACTIVE' WHERE id = ?", open[0]!.mirrorId);
    expect(await detachPeer.of(revoked, 'test', () => true)).toBe(true);
    expect(await detached()).toBe(2);
  });
});

// These tests come last because they leave the peer registered under another root.
describe('a peer that is registered again', () => {
  let story: FederatedStory;
  beforeAll(async () => {
    story = await hubs().accepted();
    await hubs().settled(story);
  });

  /** What the operator does if the other hub lost its vault. */
  const registeredUnder = async (vaultRoot: string): Promise<void> => {
    const { platform } = hubs().pair.far.world;
    const { claim, hubId } = hubs().pair.home;
    const peers = '/v1/admin/federation/peers';
    await ok(platform.post(`${peers}/${hubId}/revoke`, { reason: 'it lost its vault' }));
    await ok(platform.post(peers, { ...claim, vaultRoot }));
  };

  it('control: under its root, keeps its earlier signatures verified', async () => {
    expect((await hubs().verifiedMirror(story)).exitCode).toBe(0);
    await registeredUnder(String(hubs().pair.home.claim['vaultRoot']));
    expect(await hubs().verifiedMirror(story)).toMatchObject({ verdict: 'valid', exitCode: 0 });
  });

  // The keys of a peer must be stored by its root as well as by its id.
  it('under another root, keeps its signatures under the former root verified', async () => {
    await registeredUnder(createHash('sha256').update('another vault').digest('hex'));
    const { verdict, exitCode, failures, reasons } = await hubs().verifiedMirror(story);
    expect({ verdict, exitCode, failures, reasons }).toEqual({
      verdict: 'valid',
      exitCode: 0,
      failures: [],
      reasons: [],
    });
  });

  // Both exports are genuine, so the verifier must not accuse either hub.
  it('under another root, does not make two genuine exports contradict each other', async () => {
    const mine = await pinnedExport(hubs().performer, story.mirrorId, hubs().pair.far);
    const theirs = await pinnedExport(hubs().principal, story.homeId, hubs().pair.home);
    const { verdict, report } = await verifyBothSides(mine, theirs);
    expect([verdict, report.failures.map(({ detail }) => detail)]).not.toEqual([
      'invalid',
      expect.anything(),
    ]);
  });
});
