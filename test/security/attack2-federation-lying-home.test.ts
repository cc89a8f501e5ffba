import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson, sha256 } from '../../domain/kernel/digest.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { statement } from '../../domain/vault/statement.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import { sealedBy } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { chainOf, ok, type Body } from '../support/world.ts';

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
describe('a home that lies to the mirror', { timeout: 60_000 }, () => {
  // The mirror keeps the evidence alone, and its rows contradict its chain from then on: 409 payload_drift, file INVALID.
  it('does not freeze a dispute by more content than a dispute has', async () => {
    const story = await active();
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const { latestCompletionId: completionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'reject', reason: 'no', completionId }));
    await story.agree('FAILED');
    await ok(story.onMirror('dispute', { grounds: 'QUALITY', statement: 'x' }));
    await story.agree('FAILED', ({ disputed }) => disputed === true);
    await until(() => story.isQuiet());
    const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
    const value = { evidence: { a: 1 }, more: 'x' };
    const hash = hashJson(value);
    const open = liar.repeated()['dispute'] as JsonObject;
    await liar.say('DISPUTE_EVIDENCE_SUBMITTED', ['submit-dispute-evidence', 'FAILED', 'FAILED'], {
      actor: liar.predicateAt(0)['actor'],
      peer: undefined,
      dispute: { ...open, side: 'principal', contentHash: hash },
    });
    const ack = (await hubs.far[0].part(TOKENS.federationReads).outgoingOf(story.mirrorId)).length;
    const content = { items: [{ kind: 'dispute' as const, hash, value }] };
    await liar.send(await liar.message({ ack }, content));
    const { failures } = await hubs.verifiedMirror(story);
    const step = await story.onMirror('dispute/evidence', { evidence: { log: 'mine' } });
    expect([failures, step.body['reason']]).not.toEqual([expect.anything(), 'payload_drift']);
    expect(failures).toEqual([]);
  });

  // `signal.received` tells what home never sealed, and the file of the mirror is INVALID.
  it('does not recommend otherwise than the signal that it sealed', async () => {
    const story = await active();
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const { latestCompletionId: completionId } = await story.home();
    hubs.pair.far.door.isShut = true;
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    const sent = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
    const signal = sent.findIndex(({ route }) => route === 'signals');
    const bodyOf = (index: number) =>
      JSON.parse(Buffer.from(sent[index]!.body).toString('utf8')) as JsonObject;
    const genuine = bodyOf(signal);
    const said = { recommendation: 'RELEASE', platformRef: 'somebody else' };
    const sealed = readEntry(Buffer.from(String(genuine['statement']), 'base64'))!.predicate;
    const predicate = { ...sealed, ...said };
    const { seal, hub } = hubs.home[0].part(Vault);
    const signed = await signStatement(
      seal,
      'projection',
      story.homeId,
      statement(
        hub.predicateBase,
        'settlement-signal',
        `record/${story.homeId}`,
        hashJson(predicate),
        predicate,
      ),
      String(sealed['at']),
    );
    // The genuine ones are not to come first: home keeps its own door shut.
    hubs.pair.far.door.isShut = false;
    await liar.send(bodyOf(signal - 1));
    await liar.send({ ...genuine, ...said, statement: encodeBase64(signed) });
    expect((await hubs.verifiedMirror(story)).failures).toEqual([]);
  });

  // The receiver takes any predicateType that ends well; the verifier does not.
  it('does not spoil the file of the mirror by a foreign type of predicate', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingHome(story);
    await liar.refer(1);
    const body = await liar.message();
    const projection = body['projection'] as JsonObject;
    const signed = await signStatement(
      hubs.home[0].part(Vault).seal,
      'projection',
      story.homeId,
      statement(
        'https://elsewhere.example',
        'federation-projection',
        `record/${story.homeId}`,
        String(projection['headHash']),
        projection,
      ),
      String(projection['at']),
    );
    await liar.send({ ...body, statement: encodeBase64(signed) });
    expect((await hubs.verifiedMirror(story)).failures).toEqual([]);
  });

  // It holds two answers of home at one position of its chain, the step waits for ever, and the file is VALID, exit 0.
  it('does not give two answers to one step unseen', async () => {
    const story = await hubs.opened();
    hubs.pair.home.door.isShut = true;
    try {
      await story.onMirror('accept');
      const [far] = hubs.far;
      const [step] = await far.part(TOKENS.federationReads).outgoingOf(story.mirrorId);
      const liar = await hubs.lyingHome(story);
      const attested = {
        entryType: 'PEER_STATEMENT_ATTESTED',
        requestId: randomUUID(),
        actor: { kind: 'system' },
        recordId: story.homeId,
        orgId: hubs.pair.home.world.orgId,
        peerHubId: hubs.pair.far.hubId,
        sequence: 1,
        statementHash: step!.statementHash,
      } as const;
      const chain = await chainOf(hubs.principal, story.homeId);
      const newest = Buffer.from(String(chain.at(-1)!['coseSign1']), 'base64');
      const { header, predicate } = readEntry(newest)!;
      const { predicateBase } = hubs.home[0].part(Vault).hub;
      const other = await sealedBy(
        hubs.home[0],
        counterAttestationStatement(predicateBase, {
          ...attested,
          at: new Date().toISOString(),
          outcome: 'applied',
        }),
        story.homeId,
        {
          chainKey: story.homeId,
          position: header.chain!.position,
          hash: sha256(newest),
          at: String(predicate['at']),
        },
      );
      expect(header.chain!.position).toBe(chain.length);
      await liar.seal('counter-attestation', { ...attested, outcome: 'refused', code: 'NO' });
      await liar.refer(1);
      expect((await liar.send(await liar.message({ ack: 0 }))).status).toBe(200);
      const answer = { outcome: 'applied', attestation: encodeBase64(other) } as const;
      await far
        .part(TakeAnswer)
        .execute(step!, { messageId: step!.messageId, ...answer }, 'test')
        .catch(() => undefined);
      const { detached } = (await story.mirror())['federation'] as Body;
      const { exitCode } = await hubs.verifiedMirror(story);
      expect([detached, exitCode]).not.toEqual([null, 0]);
    } finally {
      hubs.pair.home.door.isShut = false;
    }
  });
});
