import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import { statement, type Statement } from '../../domain/vault/statement.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { sealedBy, verifiedExport } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { Stranger } from '../support/stranger.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
  // From here on home knows the vault key of the other hub.
  await hubs.opened();
}, 60_000);
afterAll(() => hubs?.close());

interface Told {
  readonly outcome: 'applied' | 'refused';
  readonly isOnChain: boolean;
  /** Of what an honest hub would sign, what the liar signs. */
  readonly signed: (predicate: JsonObject, base: string) => Statement;
}
const honest = (predicate: JsonObject, base: string): Statement =>
  counterAttestationStatement(base, predicate as never);

/** The peer answers home's offer in its own way. @returns whether home took it, and what is wrong with home's file then. */
const answered = async ({ outcome, isOnChain, signed }: Told) => {
  const story = new FederatedStory(hubs.pair);
  hubs.pair.far.door.isShut = true;
  try {
    await story.propose();
    const [offer] = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    const { seal, hub } = hubs.far[0].part(Vault);
    const recordId = isOnChain ? randomUUID() : story.homeId;
    const stated = signed(
      {
        entryType: 'PEER_STATEMENT_ATTESTED',
        at: new Date().toISOString(),
        requestId: randomUUID(),
        actor: { kind: 'system' },
        recordId,
        ...(isOnChain ? { orgId: hubs.pair.far.world.orgId } : {}),
        peerHubId: hubs.pair.home.hubId,
        sequence: 1,
        statementHash: offer!.statementHash,
        outcome,
        ...(outcome === 'refused' ? { code: 'NO' } : {}),
      },
      hub.predicateBase,
    );
    const bytes = isOnChain
      ? await sealedBy(hubs.far[0], stated, recordId)
      : await signStatement(seal, 'projection', recordId, stated, String(stated.predicate['at']));
    const attestation = Buffer.from(bytes).toString('base64');
    const { messageId } = offer!;
    const isTaken = await hubs.home[0]
      .part(TakeAnswer)
      .execute(
        offer!,
        outcome === 'applied'
          ? { messageId, outcome, attestation }
          : {
              outcome,
              attestation,
              code: 'NO',
              detail: '',
              currentState: null,
              attemptedState: null,
            },
        'test',
      )
      .then(
        () => true,
        () => false,
      );
    const { failures } = await verifiedExport(hubs.principal, story.homeId, hubs.pair.home);
    return { isTaken, failures };
  } finally {
    hubs.pair.far.door.isShut = false;
  }
};
const onChain = { outcome: 'applied', isOnChain: true } as const;

describe('a peer that answers the offer of home', { timeout: 60_000 }, () => {
  it.each<[string, Told]>([
    ['applied', { ...onChain, signed: honest }],
    ['refused', { outcome: 'refused', isOnChain: false, signed: honest }],
  ])('control: %s, as an honest hub does', async (_name, told) => {
    expect(await answered(told)).toEqual({ isTaken: true, failures: [] });
  });

  // Home takes each of these, and its own file is INVALID for ever.
  it.each<[string, Told]>([
    [
      'about another subject',
      {
        ...onChain,
        signed: (predicate, base) =>
          statement(
            base,
            'counter-attestation',
            `statement/${'ab'.repeat(32)}`,
            'ab'.repeat(32),
            predicate,
          ),
      },
    ],
    [
      'by a foreign type of predicate',
      { ...onChain, signed: (predicate) => honest(predicate, 'https://elsewhere.example') },
    ],
    [
      'by an equivocation',
      {
        ...onChain,
        signed: (predicate, base) =>
          honest(
            { ...predicate, entryType: 'PEER_EQUIVOCATION', otherHash: 'cd'.repeat(32) },
            base,
          ),
      },
    ],
    ['by a refusal that stands on a chain', { ...onChain, outcome: 'refused', signed: honest }],
    [
      'by a refusal that names an org',
      {
        outcome: 'refused',
        isOnChain: false,
        signed: (predicate, base) => honest({ ...predicate, orgId: randomUUID() }, base),
      },
    ],
  ])('%s: spoils nothing', async (_name, told) => {
    expect((await answered(told)).failures).toEqual([]);
  });
});

describe('a stranger who asks whether a hub is known here', { timeout: 60_000 }, () => {
  // None is kept of those under the id of a peer, and they are counted all the same.
  it('learns it neither by an answer nor by counting', async () => {
    const reached = { service: { url: hubs.pair.far.door.hub } };
    const statuses = async (hubId: string): Promise<readonly number[]> => {
      const all: number[] = [];
      for (let turn = 0; turn < 5; turn++)
        all.push((await new Stranger(hubId).greet(reached)).status);
      return all;
    };
    const ofPeer = await statuses(hubs.pair.home.hubId);
    expect(ofPeer).toEqual([200, 200, 200, 429, 429]);
    // Both kinds are counted together.
    expect(await statuses(randomUUID())).toEqual([429, 429, 429, 429, 429]);
  });
});

describe('a peer that is suspended while its answer is looked at', { timeout: 60_000 }, () => {
  // It was asked for before the unit of work alone, and a suspension in between was not seen.
  it('has that answer not taken, and gives it again when it is resumed', async () => {
    const [home, { world }] = hubs.home;
    const [far] = hubs.far;
    const story = new FederatedStory(hubs.pair);
    const path = `/v1/admin/federation/peers/${hubs.pair.far.hubId}`;
    const unitOfWork = home.part(TOKENS.unitOfWork);
    const begin = unitOfWork.transaction.bind(unitOfWork);
    const taking = new AsyncLocalStorage<{ isSuspended: boolean }>();
    const spy = vi.spyOn(unitOfWork, 'transaction').mockImplementation(async (work) => {
      const here = taking.getStore();
      if (here?.isSuspended === false) {
        here.isSuspended = true;
        await ok(world.platform.post(`${path}/suspend`, { reason: 'under inquiry' }));
      }
      return begin(work);
    });
    hubs.pair.far.door.isShut = true;
    try {
      await story.propose();
      const reads = home.part(TOKENS.federationReads);
      const [offer] = await reads.outgoingOf(story.homeId);
      const sender = (await far.part(TOKENS.peerReads).find(hubs.pair.home.hubId))!;
      const body = JSON.parse(Buffer.from(offer!.body).toString()) as JsonObject;
      const answer = (await far
        .part(TOKENS.peerReceivers)!
        .stateTransitions.execute(sender, body, 'test')) as PeerAnswer;
      expect(answer.outcome).toBe('applied');
      const at = { isSuspended: false };
      await expect(
        taking.run(at, () => home.part(TakeAnswer).execute(offer!, answer, 'test')),
      ).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
      expect(at.isSuspended).toBe(true);
      expect((await reads.outgoingOf(story.homeId))[0]!.answer).toBeNull();
    } finally {
      spy.mockRestore();
      hubs.pair.far.door.isShut = false;
      await ok(world.platform.post(`${path}/resume`, {}));
    }
    await until(async () => (await story.home())['federation'].recordId !== null, 60_000);
  });
});
