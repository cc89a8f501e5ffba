import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../../application/federation/take-answer.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import {
  attestation,
  attestationStatement,
  refusalBy,
  sealedAttestation,
  signedRefusal,
} from '../../support/attackers/forged-answers.ts';
import { verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { sealedReference } from '../../support/attackers/lying-hub.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { REFERENCES } from '../../support/attackers/long-texts.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';

const hubs = useLyingPair();

const homeFailures = async ({ homeId }: FederatedStory) =>
  (await verifiedExport(hubs().principal, homeId, hubs().pair.home)).failures;

describe('a lying mirror', () => {
  it('is refused if it attests messages that home never sent', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingMirror(story);
    const { orgId } = hubs().pair.far.world;
    for (const sequence of [2, 3, 4])
      await liar.seal(
        'counter-attestation',
        attestation({
          recordId: story.mirrorId,
          orgId,
          peerHubId: hubs().pair.home.hubId,
          sequence,
          statementHash: 'ab'.repeat(32),
          outcome: 'refused',
          code: 'NEVER',
        }),
      );
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs().performerActor,
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect(answer.status).toBe(422);
  });

  it('is refused if it reports an act of home that home did not send', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingMirror(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: { kind: 'peer', peerHubId: hubs().pair.home.hubId },
      reference: sealedReference(),
    });
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs().performerActor,
      reference: undefined,
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect([answer.status, answer.body['reason']]).toEqual([422, 'BROKEN']);
    expect(answer.body['detail']).toContain('by the word of home');
    expect((await story.home())['status']).toBe('PROPOSED');
  });

  it('is refused if it offers a step in the year 2999', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingMirror(story);
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs().performerActor,
      at: '2999-01-01T00:00:00.000Z',
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect(answer.status).toBe(422);
  });

  it('control: does not invalidate the export of home with an honest step', async () => {
    const story = await hubs().accepted();
    const liar = await hubs().lyingMirrorAfter(story);
    await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
      actor: hubs().performerActor,
      peer: undefined,
      cancelledBy: 'performer',
    });
    const answer = await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
    expect(answer.status).toBe(200);
    expect(await homeFailures(story)).toEqual([]);
  });

  // The entry of home would differ from the statement of the peer in cancelledBy.
  it('does not invalidate the export of home with the wrong side of a cancellation', async () => {
    const story = await hubs().accepted();
    const liar = await hubs().lyingMirrorAfter(story);
    await liar.say('STEP_OFFERED', ['cancel', 'ACTIVE', 'ACTIVE'], {
      actor: hubs().performerActor,
      peer: undefined,
      cancelledBy: 'principal',
    });
    await liar.send(await liar.message({ action: 'cancel', state: 'CANCELLED' }));
    expect(await homeFailures(story)).toEqual([]);
  });

  // The same in dispute.contentHash: home seals the hash of what it stores, and not of what it received.
  it('does not invalidate the export of home with content that a dispute does not have', async () => {
    const story = await hubs().failed();
    const liar = await hubs().lyingMirrorAfter(story);
    const value = { grounds: 'QUALITY', statement: 'x', evidence: null, more: 'y' };
    const hash = hashJson(value);
    await liar.say('STEP_OFFERED', ['open-dispute', 'FAILED', 'FAILED'], {
      actor: hubs().performerActor,
      peer: undefined,
      dispute: { id: randomUUID(), contentHash: hash },
    });
    const content = { items: [{ kind: 'dispute' as const, hash, value }] };
    await liar.send(await liar.message({ action: 'open-dispute', state: 'FAILED' }, content));
    expect(await homeFailures(story)).toEqual([]);
  });

  // A local call may give a reason of at most 2,000 letters. A step does not pass the schema of that operation.
  it('does not put a longer reason on the chain of home than a local party may', async () => {
    const story = await hubs().opened();
    const reason = 'x\u202e'.repeat(12_000);
    expect((await story.atHome('cancel', { reason })).status).toBe(400);
    const liar = await hubs().lyingMirror(story);
    await liar.say('STEP_OFFERED', ['reject', 'PROPOSED', 'PROPOSED'], {
      actor: hubs().performerActor,
      reason,
    });
    const answer = await liar.send(await liar.message({ action: 'reject', state: 'REJECTED' }));
    expect([answer.status, (await story.home())['status']]).toEqual([422, 'PROPOSED']);
  });

  it.each(REFERENCES)('does not add a reference with %s', async (_, changes) => {
    const story = await hubs().opened();
    const liar = await hubs().lyingMirror(story);
    await liar.say('STEP_OFFERED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: hubs().performerActor,
      reference: sealedReference(changes),
    });
    const answer = await liar.send(await liar.message({ action: 'add-reference' }));
    expect(answer.status).toBe(422);
    expect(answer.body['attestation']).toBeTypeOf('string');
    const { references, federation } = await story.home();
    expect([references, federation.detached]).toEqual([[], null]);
  });
});

describe('the hub of a lying mirror', () => {
  it('does not name an org of home as the org of the performer', () =>
    hubs().whileFarIsUnreachable(async () => {
      const { story, offer } = await hubs().undelivered();
      const stated = attestationStatement(hubs().far[0], {
        recordId: story.homeId,
        orgId: hubs().pair.home.world.orgId,
        peerHubId: hubs().pair.home.hubId,
        statementHash: offer.statementHash,
        outcome: 'applied',
      });
      const sealed = await sealedAttestation(hubs().far[0], stated);
      const { messageId } = offer;
      await expect(
        hubs()
          .home[0].part(TakeAnswer)
          .execute(offer, { messageId, outcome: 'applied', attestation: sealed }, 'test'),
      ).rejects.toThrow('attestation');
    }));

  it('does not keep an offer open with a refusal code that no statement has room for', () =>
    hubs().whileFarIsUnreachable(async () => {
      const { story, offer } = await hubs().undelivered();
      const stated = attestationStatement(hubs().far[0], {
        recordId: story.homeId,
        peerHubId: hubs().pair.home.hubId,
        statementHash: offer.statementHash,
        outcome: 'refused',
        code: 'A'.repeat(40_000),
      });
      const signed = encodeBase64(await signedRefusal(hubs().far[0], stated));
      await hubs()
        .home[0].part(TakeAnswer)
        .execute(offer, refusalBy(signed, 'X'), 'test')
        .catch(() => undefined);
      expect((await story.home())['status']).toBe('REJECTED');
    }));
});
