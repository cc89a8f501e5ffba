import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AdmitPeer } from '../../application/federation/admit-peer.ts';
import { VerifyMessage } from '../../application/federation/verify-message.ts';
import { TOKENS } from '../../config/tokens.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { pinnedExport } from '../support/forged-bytes.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => hubs?.close());

/** The mirror's hub lives twenty minutes behind, and looks at no date of its peer: so its operator wants it. */
const slow = (): void => {
  const [home] = hubs.home;
  const [far] = hubs.far;
  vi.spyOn(home.part(TOKENS.clock), 'now').mockImplementation(
    () => new Date(Date.now() + 20 * 60_000),
  );
  vi.spyOn(far.part(AdmitPeer), 'assertTimely').mockReturnValue();
  const verify = far.part(VerifyMessage) as unknown as { assertDated: () => void };
  vi.spyOn(verify, 'assertDated').mockReturnValue();
};

describe('a mirror whose dates are earlier than those of home', { timeout: 60_000 }, () => {
  // Which transitions a file of home must hold is judged by the date that the mirror gave them.
  it('makes no liar of home by an older file of it', async () => {
    const story = await hubs.opened();
    slow();
    const older = await pinnedExport(hubs.principal, story.homeId, hubs.pair.home);
    await ok(story.atHome('cancel', { reason: 'not any more' }));
    await story.agree('CANCELLED');
    const mirror = await pinnedExport(hubs.performer, story.mirrorId, hubs.pair.far);
    const { verdict, report } = await verifyBothSides(older, mirror);
    expect([verdict, report.failures.map(({ detail }) => detail)]).toEqual(['cannot_tell', []]);
  });
});
