import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { verifiedExport } from '../support/forged-bytes.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const active = async (): Promise<FederatedStory> => {
  const story = await hubs.opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  return story;
};
const failed = async (): Promise<FederatedStory> => {
  const story = await active();
  await ok(story.onMirror('completions', { evidence: { score: 9 } }));
  const { latestCompletionId: completionId } = await story.home();
  await ok(story.atHome('verdict', { verdict: 'reject', reason: 'no', completionId }));
  await story.agree('FAILED');
  return story;
};
const fileOfHome = async ({ homeId }: FederatedStory) =>
  (await verifiedExport(hubs.principal, homeId, hubs.pair.home)).failures;

describe('a mirror whose step differs from what home makes of it', { timeout: 60_000 }, () => {
  it('control: an honest step leaves the file of home good', async () => {
    const story = await active();
    const liar = await hubs.lyingMirrorAfter(story);
    await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
      actor: hubs.performerActor,
      peer: undefined,
      cancelledBy: 'performer',
    });
    const answer = await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
    expect(answer.status).toBe(200);
    expect(await fileOfHome(story)).toEqual([]);
  });

  // The file of home is INVALID for ever: its entry differs from the statement of the peer in cancelledBy.
  it('does not spoil the evidence of home by the wrong side of a cancellation', async () => {
    const story = await active();
    const liar = await hubs.lyingMirrorAfter(story);
    await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
      actor: hubs.performerActor,
      peer: undefined,
      cancelledBy: 'principal',
    });
    await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
    expect(await fileOfHome(story)).toEqual([]);
  });

  // The same in dispute.contentHash: home seals the hash of what it keeps, and not of what was sent.
  it('does not spoil the evidence of home by more content than a dispute has', async () => {
    const story = await failed();
    const liar = await hubs.lyingMirrorAfter(story);
    const value = { grounds: 'QUALITY', statement: 'x', evidence: null, more: 'y' };
    const hash = hashJson(value);
    await liar.say('STEP_OFFERED', ['open-dispute', 'FAILED', 'FAILED'], {
      actor: hubs.performerActor,
      peer: undefined,
      dispute: { id: randomUUID(), contentHash: hash },
    });
    const content = { items: [{ kind: 'dispute' as const, hash, value }] };
    await liar.send(await liar.message({ action: 'open-dispute', state: 'FAILED' }, content));
    expect(await fileOfHome(story)).toEqual([]);
  });

  // A local call is refused beyond 2,000 letters; a step passes below the schema of the operation.
  it('does not put a longer text on the chain of home than a local party may', async () => {
    const story = await hubs.opened();
    const reason = 'x\u202e'.repeat(12_000);
    expect((await story.atHome('cancel', { reason })).status).toBe(400);
    const liar = await hubs.lyingMirror(story);
    await liar.say('STEP_OFFERED', ['reject', 'PROPOSED', 'PROPOSED'], {
      actor: hubs.performerActor,
      reason,
    });
    const answer = await liar.send(await liar.message({ action: 'reject', state: 'REJECTED' }));
    expect([answer.status, (await story.home())['status']]).toEqual([422, 'PROPOSED']);
  });
});
