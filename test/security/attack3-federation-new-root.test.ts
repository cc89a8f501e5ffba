import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { pinnedExport } from '../support/forged-bytes.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
let story: FederatedStory;
beforeAll(async () => {
  hubs = await LyingPair.open();
  story = await hubs.opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  await until(() => story.isQuiet());
}, 60_000);
afterAll(() => hubs?.close());

/** As the answers of this hub advise where the other one lost its vault. */
const registeredAgain = async (vaultRoot: string): Promise<void> => {
  const { platform } = hubs.pair.far.world;
  const { claim, hubId } = hubs.pair.home;
  const peers = '/v1/admin/federation/peers';
  await ok(platform.post(`${peers}/${hubId}/revoke`, { reason: 'it lost its vault' }));
  await ok(platform.post(peers, { ...claim, vaultRoot }));
};

describe('a peer that is registered again', { timeout: 60_000 }, () => {
  it('control: under its root, leaves what it signed before verified', async () => {
    expect((await hubs.verifiedMirror(story)).exitCode).toBe(0);
    await registeredAgain(String(hubs.pair.home.claim['vaultRoot']));
    expect(await hubs.verifiedMirror(story)).toMatchObject({ verdict: 'valid', exitCode: 0 });
  });

  // The keys of a peer are kept by its id alone: what it signed under its former root, no file shows any more.
  it('under another root, takes no evidence away of what it signed under the former one', async () => {
    await registeredAgain(createHash('sha256').update('another vault').digest('hex'));
    const { verdict, exitCode, failures, reasons } = await hubs.verifiedMirror(story);
    expect({ verdict, exitCode, failures, reasons }).toEqual({
      verdict: 'valid',
      exitCode: 0,
      failures: [],
      reasons: [],
    });
  });

  // Both files are as their hubs made them, and the verifier names one of them as a liar.
  it('under another root, makes no two files contradict each other', async () => {
    const mine = await pinnedExport(hubs.performer, story.mirrorId, hubs.pair.far);
    const theirs = await pinnedExport(hubs.principal, story.homeId, hubs.pair.home);
    const { verdict, report } = await verifyBothSides(mine, theirs);
    expect([verdict, report.failures.map(({ detail }) => detail)]).not.toEqual([
      'invalid',
      expect.anything(),
    ]);
  });
});
