import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AdmitPeer } from '../../../application/federation/admit-peer.ts';
import { VerifyMessage } from '../../../application/federation/verify-message.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { recordStatement } from '../../../domain/record/record-statement.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { pinnedExport, sealedBy, verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';
import { GOAL, ok } from '../../support/service/world.ts';
import { teamName, teamType } from '../../support/stories/tree.ts';

const hubs = useLyingPair();

describe('a detached mirror that sends more messages', () => {
  const type = teamType('all-fulfilled');
  beforeAll(() => ok(hubs().pair.home.world.admin.post('/v1/schemas', type)));

  const completed = async (): Promise<FederatedStory> => {
    const story = await hubs().completed({ type: teamName('all-fulfilled'), criteria: GOAL });
    await hubs().settled(story);
    return story;
  };

  // Home does not verify these entries before it stores them, and reads the children of the peer from them.
  it.each(['reject', 'accept'] as const)(
    'does not prevent a verdict (%s) with an invalid entry',
    async (verdict) => {
      const story = await completed();
      const liar = await hubs().lyingMirrorAfter(story);
      liar.sequence--;
      await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
        actor: hubs().performerActor,
        peer: undefined,
        cancelledBy: 'performer',
      });
      await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
      expect((await story.home())['federation'].detached).toBe('equivocation');

      const { predicateBase } = hubs().far[0].part(Vault).hub;
      const { children: _, ...rest } = liar.repeated();
      const nothing = await sealedBy(
        hubs().far[0],
        recordStatement(predicateBase, {
          ...rest,
          entryType: 'CASCADE_VERIFIED',
          at: new Date().toISOString(),
          requestId: randomUUID(),
        } as never),
        story.mirrorId,
      );
      const entries = [Buffer.from(nothing).toString('base64')];
      await liar.send(
        await liar.message({ action: 'cancel', state: 'CANCELLED' }, { items: [] }, { entries }),
      );
      const { latestCompletionId: completionId } = await story.home();
      const answer = await story.atHome('verdict', { verdict, reason: 'so', completionId });
      expect([answer.status, answer.body['code']]).toEqual([200, undefined]);
      const report = await verifiedExport(hubs().principal, story.homeId, hubs().pair.home);
      expect(report.failures).toEqual([]);
    },
  );
});

describe('a mirror whose dates are earlier than those of home', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The clock of home is 20 minutes ahead of the mirror's hub, whose operator switched off all checks of dates. */
  const slow = (): void => {
    const [home] = hubs().home;
    const [far] = hubs().far;
    vi.spyOn(home.part(TOKENS.clock), 'now').mockImplementation(
      () => new Date(Date.now() + 20 * 60_000),
    );
    vi.spyOn(far.part(AdmitPeer), 'assertTimely').mockReturnValue();
    const verify = far.part(VerifyMessage) as unknown as { assertDated: () => void };
    vi.spyOn(verify, 'assertDated').mockReturnValue();
  };

  // The date that the mirror gives a transition must not decide whether an export of home must contain it.
  it('does not accuse home with an older export of home', async () => {
    const story = await hubs().opened();
    slow();
    const older = await pinnedExport(hubs().principal, story.homeId, hubs().pair.home);
    await ok(story.atHome('cancel', { reason: 'not any more' }));
    await story.agree('CANCELLED');
    const mirror = await pinnedExport(hubs().performer, story.mirrorId, hubs().pair.far);
    const { verdict, report } = await verifyBothSides(older, mirror);
    expect([verdict, report.failures.map(({ detail }) => detail)]).toEqual(['cannot_tell', []]);
  });
});
