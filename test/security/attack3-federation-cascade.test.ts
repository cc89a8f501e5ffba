import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../application/vault/vault.ts';
import { recordStatement } from '../../domain/record/record-statement.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { sealedBy, verifiedExport } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { teamName, teamType } from '../support/tree.ts';
import { GOAL, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
  await ok(hubs.pair.home.world.admin.post('/v1/schemas', teamType('all-fulfilled')));
}, 60_000);
afterAll(() => hubs?.close());

/** Work was delivered, and the principal is asked for its verdict. */
const delivered = async (): Promise<FederatedStory> => {
  const story = await hubs.opened({ type: teamName('all-fulfilled'), criteria: GOAL });
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  await ok(story.onMirror('completions', { evidence: { score: 9 } }));
  await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
  await until(() => story.isQuiet());
  return story;
};

describe('a mirror that is detached, and sends on', { timeout: 60_000 }, () => {
  // Nobody looks at these entries before they are kept, and home reads the children of the peer in them.
  it.each(['reject', 'accept'] as const)(
    'keeps the principal from no verdict (%s) by an entry that is none',
    async (verdict) => {
      const story = await delivered();
      const liar = await hubs.lyingMirrorAfter(story);
      liar.sequence--;
      await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
        actor: hubs.performerActor,
        peer: undefined,
        cancelledBy: 'performer',
      });
      await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
      expect((await story.home())['federation'].detached).toBe('equivocation');

      const { predicateBase } = hubs.far[0].part(Vault).hub;
      const { children: _, ...rest } = liar.repeated();
      const nothing = await sealedBy(
        hubs.far[0],
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
      const report = await verifiedExport(hubs.principal, story.homeId, hubs.pair.home);
      expect(report.failures).toEqual([]);
    },
  );
});
