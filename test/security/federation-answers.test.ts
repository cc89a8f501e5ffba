import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReceiveMessage } from '../../application/federation/receive-message.ts';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { PEER_PATHS } from '../../domain/federation/request-signature.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { databases } from '../support/databases.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { sealedBy } from '../support/forged-bytes.ts';
import { HubDatabases } from '../support/hub-databases.ts';
import { HubPair, noting, until, type OpenRuntime } from '../support/hub-pair.ts';
import { ok } from '../support/world.ts';

describe.each(databases())('answers of a peer, on $name', { timeout: 120_000 }, (kind) => {
  const own = new HubDatabases(kind);
  const runtimes: OpenRuntime[] = [];
  let pair: HubPair;
  let first: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(noting(runtimes), own.env);
    await pair.peer();
    // From here on home knows the vault key of the other hub.
    first = new FederatedStory(pair);
    await first.propose();
    await first.arrives();
    await until(async () => (await first.home())['federation'].recordId !== null, 60_000);
  }, 120_000);
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });
  const home = (): OpenRuntime => runtimes[0]!;
  const far = (): OpenRuntime => runtimes[1]!;

  /** An offer that waits, because the door of the other hub is shut. */
  const waiting = async (): Promise<{
    readonly story: FederatedStory;
    readonly offer: OutgoingMessage;
  }> => {
    const story = new FederatedStory(pair);
    await story.propose();
    const [offer] = await home().part(TOKENS.federationReads).outgoingOf(story.homeId);
    return { story, offer: offer! };
  };
  /** What the peer's vault key signs about it: that it was applied to a record of that id. */
  const attested = async ({ statementHash }: OutgoingMessage, recordId: string) => {
    const stated = counterAttestationStatement(far().part(Vault).hub.predicateBase, {
      entryType: 'PEER_STATEMENT_ATTESTED',
      at: new Date().toISOString(),
      requestId: randomUUID(),
      actor: { kind: 'system' },
      recordId,
      orgId: pair.far.world.orgId,
      peerHubId: pair.home.hubId,
      sequence: 1,
      statementHash,
      outcome: 'applied',
    });
    return Buffer.from(await sealedBy(far(), stated, recordId)).toString('base64');
  };
  const taken = async (offer: OutgoingMessage, recordId: string): Promise<string | null> => {
    const attestation = await attested(offer, recordId);
    const answer = { messageId: offer.messageId, outcome: 'applied', attestation } as const;
    return home()
      .part(TakeAnswer)
      .execute(offer, answer, 'test')
      .then(
        () => null,
        (error: unknown) => {
          if (!(error instanceof NotaryError)) throw error;
          expect(error.members.reason).toBe('unattested');
          return error.message;
        },
      );
  };
  const withDoorShut = async (act: () => Promise<void>): Promise<void> => {
    pair.far.door.isShut = true;
    try {
      await act();
    } finally {
      pair.far.door.isShut = false;
    }
  };
  const mirrorIdOf = async (story: FederatedStory): Promise<unknown> =>
    (await story.home())['federation'].recordId;

  it('name one record of the peer for one record of this hub', async () => {
    await withDoorShut(async () => {
      const [one, other] = [await waiting(), await waiting()];
      const recordId = randomUUID();
      expect(await taken(one.offer, recordId)).toBeNull();
      expect(await taken(other.offer, recordId)).toContain('for another one of this hub');
      expect(await mirrorIdOf(one.story)).toBe(recordId);
      expect(await mirrorIdOf(other.story)).toBeNull();
      // The same once more changes nothing; another id is good.
      expect(await taken(one.offer, recordId)).toBeNull();
      expect(await taken(other.offer, randomUUID())).toBeNull();
    });
  });

  it('name it for one of them also where they come at once', async () => {
    await withDoorShut(async () => {
      for (let turn = 0; turn < 4; turn++) {
        const stories = [await waiting(), await waiting(), await waiting()];
        const recordId = randomUUID();
        const faults = await Promise.all(stories.map(({ offer }) => taken(offer, recordId)));
        expect(faults.filter((fault) => fault === null)).toHaveLength(1);
        const ids = await Promise.all(stories.map(({ story }) => mirrorIdOf(story)));
        expect(ids.filter((id) => id === recordId)).toHaveLength(1);
      }
    });
  });

  it('are not taken after the peer was suspended, and are once it is resumed', async () => {
    const path = `/v1/admin/federation/peers/${pair.far.hubId}`;
    const { platform } = pair.home.world;
    let late: { readonly story: FederatedStory; readonly offer: OutgoingMessage };
    await withDoorShut(async () => {
      late = await waiting();
      await ok(platform.post(`${path}/suspend`, { reason: 'under inquiry' }));
      try {
        expect(await taken(late.offer, randomUUID())).toContain('not ACTIVE');
        expect(await mirrorIdOf(late.story)).toBeNull();
        const [kept] = await home().part(TOKENS.federationReads).outgoingOf(late.story.homeId);
        expect(kept!.answer).toBeNull();
      } finally {
        await ok(platform.post(`${path}/resume`, {}));
      }
    });
    // The message goes again as soon as the peer is heard of, and the answer of the hub itself counts.
    await ok(first.onMirror('accept'));
    await until(async () => (await mirrorIdOf(late.story)) !== null, 60_000);
    await late!.story.arrives();
    expect(await mirrorIdOf(late!.story)).toBe(late!.story.mirrorId);
  });

  // The last of them: the peer is gone afterwards.
  it('are not taken after the peer was revoked', async () => {
    await withDoorShut(async () => {
      const { story, offer } = await waiting();
      const { platform } = pair.home.world;
      await ok(platform.post(`/v1/admin/federation/peers/${pair.far.hubId}/revoke`, {}));
      expect(await taken(offer, randomUUID())).toContain('not ACTIVE');
      expect((await story.home())['federation']).toMatchObject({
        recordId: null,
        detached: 'peer_revoked',
      });
    });
  });
});

describe('messages that an answer carries', { timeout: 120_000 }, () => {
  const LIMIT = 40;
  const runtimes: OpenRuntime[] = [];
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(noting(runtimes), (name): Readonly<Record<string, string>> =>
      name === 'far' ? { RATE_LIMIT_PEER: String(LIMIT) } : {},
    );
    await pair.peer();
  }, 120_000);
  afterAll(() => pair?.close());

  it('count in the quota of their peer, as those that it posts do', async () => {
    const far = runtimes[1]!;
    const peer = (await far.part(TOKENS.peerReads).find(pair.home.hubId))!;
    const carried = (): Promise<string> =>
      far
        .part(ReceiveMessage)
        .of('state-transitions', peer, { messageId: 'none' }, 'answer', 'test')
        .then(
          () => 'taken',
          (error: NotaryError) => error.code,
        );
    const codes: string[] = [];
    for (let turn = 0; turn < LIMIT + 1; turn++) codes.push(await carried());
    expect(codes[0]).toBe('VALIDATION_ERROR');
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    // One window for both ways.
    const posted = await runtimes[0]!
      .part(TOKENS.peerTransport)
      .post(
        (await runtimes[0]!.part(TOKENS.peerReads).find(pair.far.hubId))!,
        PEER_PATHS.stateTransitions,
        new TextEncoder().encode('{}'),
      );
    expect(posted.status).toBe(429);
  });
});
