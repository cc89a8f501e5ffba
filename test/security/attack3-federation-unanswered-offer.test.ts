import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { verifiedExport } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());
/** It takes what home sends, and gives no answer. */
beforeEach(() => {
  hubs.pair.far.door.onAnswer = ({ path }) => {
    if (path === '/federation/v1/state-transitions') throw new Error('the answer is lost');
  };
});
afterEach(() => {
  hubs.pair.far.door.onAnswer = () => undefined;
});

const proposed = async (): Promise<FederatedStory> => {
  const story = new FederatedStory(hubs.pair);
  await story.propose();
  await story.arrives();
  return story;
};

describe('a peer that answers no offer, and sends steps of it', { timeout: 60_000 }, () => {
  // The entries of the peer name their chain, and the file holds no answer that names it as well.
  it('spoils no evidence of home', async () => {
    const story = await proposed();
    await story.onMirror('accept');
    await until(async () => (await story.home())['status'] === 'ACTIVE');
    expect((await story.home())['federation'].recordId).toBeNull();
    const { failures } = await verifiedExport(hubs.principal, story.homeId, hubs.pair.home);
    expect(failures).toEqual([]);
  });

  it('spoils none either where it refuses the offer after that', async () => {
    const story = await proposed();
    await story.onMirror('counter-propose', { criteria: { goal: 'another one', threshold: 3 } });
    await until(async () => (await story.home())['awaiting'] === 'principal');
    const [home] = hubs.home;
    const [offer] = await home.part(TOKENS.federationReads).outgoingOf(story.homeId);
    expect(offer!.answer).toBeNull();
    const { seal, hub } = hubs.far[0].part(Vault);
    const at = new Date().toISOString();
    const refusal = await signStatement(
      seal,
      'projection',
      story.homeId,
      counterAttestationStatement(hub.predicateBase, {
        entryType: 'PEER_STATEMENT_ATTESTED',
        at,
        requestId: randomUUID(),
        actor: { kind: 'system' },
        recordId: story.homeId,
        peerHubId: hubs.pair.home.hubId,
        sequence: 1,
        statementHash: offer!.statementHash,
        outcome: 'refused',
        code: 'AGENT_UNKNOWN',
      }),
      at,
    );
    await home
      .part(TakeAnswer)
      .execute(
        offer!,
        {
          outcome: 'refused',
          attestation: encodeBase64(refusal),
          code: 'AGENT_UNKNOWN',
          detail: '',
          currentState: null,
          attemptedState: null,
        },
        'test',
      )
      .catch(() => undefined);
    // Home holds both words of the peer, and is believed.
    expect((await story.home())['federation'].detached).toBe('equivocation');
    const { failures } = await verifiedExport(hubs.principal, story.homeId, hubs.pair.home);
    expect(failures).toEqual([]);
  });
});
