import { describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../../application/federation/take-answer.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { signStatement } from '../../../domain/vault/chain.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import { MAX_STATEMENT_BYTES, statement } from '../../../domain/vault/statement.ts';
import {
  attestation,
  attestationStatement,
  headOf,
  sealedAttestation,
} from '../../support/attackers/forged-answers.ts';
import { LyingHub } from '../../support/attackers/lying-hub.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import type { FederatedStory } from '../../support/hubs/federated-story.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { chainOf, ok, type Body } from '../../support/service/world.ts';

const hubs = useLyingPair();

const WEEK_MS = 7 * 86_400_000;
const byPerformer = () => ({ kind: 'peer', peerHubId: hubs().pair.far.hubId });
const REFUSED = { status: 422, body: { reason: 'BROKEN' } };
const isBroken = async (story: FederatedStory, status: string): Promise<void> => {
  const mirror = await story.mirror();
  expect(mirror['status']).toBe(status);
  expect(mirror['federation']).toMatchObject({ detached: 'broken', pendingStep: null });
};

describe('a lying home', () => {
  it('is detached if it applies a different step from the offered one', async () => {
    const story = await hubs().opened();
    await hubs().whileHomeIsUnreachable(async () => {
      await ok(story.onMirror('reject', { reason: 'no capacity' }));
      const step = (
        await hubs().far[0].part(TOKENS.federationReads).outgoingOf(story.mirrorId)
      )[0]!;
      const liar = await hubs().lyingHome(story);
      await liar.say('PROPOSAL_REJECTED', ['reject', 'PROPOSED', 'REJECTED'], {
        actor: byPerformer(),
        reason: 'I admit to everything',
        awaiting: null,
      });
      const answer = await liar.send(await liar.message({ ack: step.sequence }));
      expect(answer).toMatchObject(REFUSED);
      expect(String(answer.body['detail'])).toContain('another step than was offered (reason)');
      await isBroken(story, 'PROPOSED');
    });
  });

  // If the mirror stores the evidence only, its rows contradict its chain: 409 payload_drift, and an INVALID export.
  it('does not block a dispute with content that a dispute does not have', async () => {
    const story = await hubs().disputed();
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    const value = { evidence: { a: 1 }, more: 'x' };
    const hash = hashJson(value);
    const open = liar.repeated()['dispute'] as JsonObject;
    await liar.say('DISPUTE_EVIDENCE_SUBMITTED', ['submit-dispute-evidence', 'FAILED', 'FAILED'], {
      actor: liar.predicateAt(0)['actor'],
      peer: undefined,
      dispute: { ...open, side: 'principal', contentHash: hash },
    });
    const ack = (await hubs().far[0].part(TOKENS.federationReads).outgoingOf(story.mirrorId))
      .length;
    const content = { items: [{ kind: 'dispute' as const, hash, value }] };
    await liar.send(await liar.message({ ack }, content));
    const { failures } = await hubs().verifiedMirror(story);
    const step = await story.onMirror('dispute/evidence', { evidence: { log: 'mine' } });
    expect([failures, step.body['reason']]).not.toEqual([expect.anything(), 'payload_drift']);
    expect(failures).toEqual([]);
  });

  // Otherwise `signal.received` reports what home never sealed, and the export of the mirror is INVALID.
  it('does not send a recommendation that differs from its sealed signal', async () => {
    const story = await hubs().accepted();
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const { latestCompletionId: completionId } = await story.home();
    hubs().pair.far.door.isShut = true;
    await ok(story.atHome('verdict', { verdict: 'accept', completionId }));
    const sent = await hubs().home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    const signal = sent.findIndex(({ route }) => route === 'signals');
    const bodyOf = (index: number) =>
      JSON.parse(Buffer.from(sent[index]!.body).toString('utf8')) as JsonObject;
    const genuine = bodyOf(signal);
    const changes = { recommendation: 'RELEASE', platformRef: 'somebody else' };
    const sealed = readEntry(Buffer.from(String(genuine['statement']), 'base64'))!.predicate;
    const predicate = { ...sealed, ...changes };
    const { seal, hub } = hubs().home[0].part(Vault);
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
    hubs().pair.far.door.isShut = false;
    await liar.send(bodyOf(signal - 1));
    await liar.send({ ...genuine, ...changes, statement: encodeBase64(signed) });
    expect((await hubs().verifiedMirror(story)).failures).toEqual([]);
  });

  // The verifier rejects a predicateType with a foreign base, so the receiver must reject it first.
  it('does not invalidate the export of the mirror with a foreign type of predicate', async () => {
    const story = await hubs().opened();
    const liar = await hubs().lyingHome(story);
    await liar.refer(1);
    const body = await liar.message();
    const projection = body['projection'] as JsonObject;
    const signed = await signStatement(
      hubs().home[0].part(Vault).seal,
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
    expect((await hubs().verifiedMirror(story)).failures).toEqual([]);
  });

  // Otherwise the mirror has two answers of home at one position, the step waits forever, and the export is VALID.
  it('does not give two answers to one step undetected', async () => {
    const story = await hubs().opened();
    await hubs().whileHomeIsUnreachable(async () => {
      await story.onMirror('accept');
      const [far] = hubs().far;
      const [step] = await far.part(TOKENS.federationReads).outgoingOf(story.mirrorId);
      const liar = await hubs().lyingHome(story);
      const attested = attestation({
        recordId: story.homeId,
        orgId: hubs().pair.home.world.orgId,
        peerHubId: hubs().pair.far.hubId,
        statementHash: step!.statementHash,
      });
      const chain = await chainOf(hubs().principal, story.homeId);
      const head = headOf(chain);
      const stated = attestationStatement(hubs().home[0], { ...attested, outcome: 'applied' });
      const other = await sealedAttestation(hubs().home[0], stated, head);
      expect(head.position).toBe(chain.length);
      const refused = { ...attested, at: undefined, outcome: 'refused', code: 'NO' };
      await liar.seal('counter-attestation', refused);
      await liar.refer(1);
      expect((await liar.send(await liar.message({ ack: 0 }))).status).toBe(200);
      await far
        .part(TakeAnswer)
        .execute(
          step!,
          { messageId: step!.messageId, outcome: 'applied', attestation: other },
          'test',
        )
        .catch(() => undefined);
      const { detached } = (await story.mirror())['federation'] as Body;
      const { exitCode } = await hubs().verifiedMirror(story);
      expect([detached, exitCode]).not.toEqual([null, 0]);
    });
  });

  it.each(['2027-02-31T00:00:00.000Z', '2027-13-01T00:00:00.000Z'])(
    'does not end a phase of a dispute on a day that does not exist: %s',
    async (deadline) => {
      const story = await hubs().disputed();
      const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
      const open = liar.repeated()['dispute'] as JsonObject;
      const { contentHash: _, ...unchanged } = open;
      await liar.say('DISPUTE_ESCALATED', ['escalate-dispute', 'FAILED', 'FAILED'], {
        actor: liar.predicateAt(0)['actor'],
        peer: undefined,
        dispute: { ...unchanged, phase: 'TIER_2_REVIEW', tier: 2, deadline },
      });
      const ack = (await hubs().far[0].part(TOKENS.federationReads).outgoingOf(story.mirrorId))
        .length;
      const { status } = await liar.send(await liar.message({ ack }));
      const report = await hubs().verifiedMirror(story);
      const step = await story.onMirror('dispute/evidence', { evidence: { log: 'mine' } });
      expect(report.failures).toEqual([]);
      expect([status, step.body['reason']]).toEqual([422, 'detached']);
    },
  );
});

describe('the gate detail of a lying home', () => {
  type Say = (detail: string) => Promise<void>;

  /** Home applies the completion that the performer offered, and `detailFor` chooses the detail of its gate result. */
  const appliedWith = async (detailFor: (say: Say, liar: LyingHub) => Promise<string>) => {
    const story = await hubs().accepted();
    return hubs().whileHomeIsUnreachable(async () => {
      await ok(story.onMirror('completions', { evidence: { score: 0 } }));
      const reads = hubs().far[0].part(TOKENS.federationReads);
      const offered = (await reads.outgoingOf(story.mirrorId)).at(-1)!;
      const body = JSON.parse(Buffer.from(offered.body).toString('utf8')) as Body;
      const offeredEntry = readEntry(Buffer.from(body['entries'].at(-1), 'base64'))!.predicate;
      const liar = await hubs().lyingHome(story);
      const say: Say = async (detail) => {
        const at = new Date().toISOString();
        const inputsDigest = 'ab'.repeat(32);
        const result = {
          gateId: 'score',
          outcome: 'fail',
          severity: 'block',
          inputsDigest,
          detail,
        };
        await liar.say('COMPLETION_SUBMITTED', ['submit-completion', 'ACTIVE', 'ACTIVE'], {
          actor: { kind: 'peer', peerHubId: hubs().pair.far.hubId },
          at,
          awaiting: 'principal',
          expiresAt: new Date(Date.parse(at) + WEEK_MS).toISOString(),
          completionId: offeredEntry['completionId'],
          evidenceHash: offeredEntry['evidenceHash'],
          gate: { state: 'ADVISORY_FAILED', now: at, inputsDigest, results: [result] },
        });
      };
      await say(await detailFor(say, liar));
      const { status, body: answer } = await liar.send(
        await liar.message({ ack: offered.sequence }, body['content']),
      );
      const { federation } = await story.mirror();
      const { failures } = await hubs().verifiedMirror(story);
      return { status, reason: answer['reason'], detail: answer['detail'], federation, failures };
    });
  };

  it('control: is applied if a gate of the service could give it', async () => {
    const result = await appliedWith(() => Promise.resolve('It is too low.'));
    expect(result).toMatchObject({ status: 200, failures: [] });
  });

  // A caller of the mirror may claim at most 512 letters for a gate.
  it('is rejected if it has 10,000 letters', async () => {
    const result = await appliedWith(() => Promise.resolve('x\u202e'.repeat(5_000)));
    expect(result).toMatchObject({ status: 422, reason: 'BROKEN' });
  });

  // The mirror adds members, so it cannot seal a detail that home could just seal.
  it('is applied, or refused under seal, at the largest size that home can seal', async () => {
    const result = await appliedWith(async (say) => {
      const tooLong = await say('x'.repeat(MAX_STATEMENT_BYTES)).then(
        () => '',
        (error: unknown) => (error instanceof NotaryError ? error.message : ''),
      );
      const bytes = Number(/has (\d+) bytes/.exec(tooLong)?.[1]);
      return 'x'.repeat(2 * MAX_STATEMENT_BYTES - bytes);
    });
    expect(result.failures).toEqual([]);
    expect([result.status, result.federation.detached]).not.toEqual([422, null]);
  });
});

describe('an act of an honest principal', () => {
  it('does not end a pending step that home has not received', async () => {
    const story = await hubs().opened();
    const reference = (n: number) => ({
      kind: 'document',
      uri: `https://files.example/${n}`,
      digest: null,
      label: null,
    });
    await hubs().whileHomeIsUnreachable(async () => {
      expect((await story.onMirror('references', reference(1))).status).toBe(201);
      expect((await story.atHome('references', reference(2))).status).toBe(201);
      await until(async () => (await story.mirror())['references'].length > 0);
      expect((await story.mirror())['federation'].pendingStep).toMatchObject({ sequence: 1 });
    });
  });

  it('does not end the same pending step of the performer', async () => {
    const story = await hubs().accepted();
    const input = { kind: 'document', uri: 'https://example.com/performer' };
    await hubs().whileHomeIsUnreachable(async () => {
      const waiting = await ok(story.onMirror('references', input));
      expect(waiting).toBeDefined();
      await ok(
        story.atHome('references', { kind: 'document', uri: 'https://example.com/principal' }),
      );
      await until(async () => (await story.mirror())['references'].length === 1);
      const { pendingStep } = (await story.mirror())['federation'];
      expect(pendingStep).toMatchObject({ action: 'add-reference' });
      expect(await story.onMirror('references', input)).toMatchObject({ status: 409 });
    });
    await story.agree('ACTIVE', ({ references }) => (references as Body[]).length === 2);
    const named = (await chainOf(hubs().performer, story.mirrorId)).flatMap(
      ({ entryType, statement }) =>
        entryType === 'REFERENCE_ADDED' ? [statement.predicate.peer !== undefined] : [],
    );
    expect(named).toEqual([false, true]);
    expect(await hubs().verifiedMirror(story)).toMatchObject({ verdict: 'valid', failures: [] });
  });
});
