import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ReceiveMessage } from '../../../application/federation/receive-message.ts';
import { TakeAnswer } from '../../../application/federation/take-answer.ts';
import type { Stores } from '../../../application/ports/unit-of-work.port.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { OutgoingMessage } from '../../../domain/federation/federation-store.port.ts';
import type { PeerAnswer } from '../../../domain/federation/message.ts';
import { PEER_PATHS } from '../../../domain/federation/request-signature.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import {
  attestationStatement,
  headOf,
  refusalBy,
  sealedAttestation,
} from '../../support/attackers/forged-answers.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { databases } from '../../support/databases/databases.ts';
import { FederatedStory } from '../../support/hubs/federated-story.ts';
import { until, type OpenRuntime } from '../../support/hubs/hub-pair.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';
import { chainOf, ok, type Body } from '../../support/service/world.ts';

type Hold = Stores['peers']['hold'];

/** Replaces how a unit of work locks the peer. */
const holding = (stores: Stores, hold: (own: Hold) => Hold): Stores => {
  const peers = new Proxy(stores.peers, {
    get: (own, name) => {
      if (name === 'hold') return hold(own.hold.bind(own));
      const member: unknown = Reflect.get(own, name, own);
      return typeof member === 'function' ? (member.bind(own) as unknown) : member;
    },
  });
  return new Proxy(stores, {
    get: (own, name) => (name === 'peers' ? peers : Reflect.get(own, name, own)),
  });
};

describe.each(databases())('an answer of a peer, on $name', (kind) => {
  const hubs = useLyingPair({ kind });
  let first: FederatedStory;
  beforeAll(async () => {
    // Home learns the vault key of the other hub.
    first = await hubs().opened();
  });
  const home = (): OpenRuntime => hubs().home[0];
  const far = (): OpenRuntime => hubs().far[0];

  /** The vault key of the peer attests that it applied the offer to a record with this id. */
  const attested = async ({ statementHash }: OutgoingMessage, recordId: string) => {
    const stated = attestationStatement(far(), {
      recordId,
      orgId: hubs().pair.far.world.orgId,
      peerHubId: hubs().pair.home.hubId,
      statementHash,
      outcome: 'applied',
    });
    return sealedAttestation(far(), stated);
  };
  const taken = async (offer: OutgoingMessage, recordId: string): Promise<string | null> => {
    const sealed = await attested(offer, recordId);
    const answer = { messageId: offer.messageId, outcome: 'applied', attestation: sealed } as const;
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
  const mirrorIdOf = async (story: FederatedStory): Promise<unknown> =>
    (await story.home())['federation'].recordId;

  it('names a record of the peer for only one record of this hub', async () => {
    await hubs().whileFarIsUnreachable(async () => {
      const [one, other] = [await hubs().undelivered(), await hubs().undelivered()];
      const recordId = randomUUID();
      expect(await taken(one.offer, recordId)).toBeNull();
      expect(await taken(other.offer, recordId)).toContain('for another one of this hub');
      expect(await mirrorIdOf(one.story)).toBe(recordId);
      expect(await mirrorIdOf(other.story)).toBeNull();
      // The same answer changes nothing, and another id is accepted.
      expect(await taken(one.offer, recordId)).toBeNull();
      expect(await taken(other.offer, randomUUID())).toBeNull();
    });
  });

  it('names a record of the peer for only one of three concurrent offers', async () => {
    await hubs().whileFarIsUnreachable(async () => {
      for (let turn = 0; turn < 4; turn++) {
        const stories = [
          await hubs().undelivered(),
          await hubs().undelivered(),
          await hubs().undelivered(),
        ];
        const recordId = randomUUID();
        const faults = await Promise.all(stories.map(({ offer }) => taken(offer, recordId)));
        expect(faults.filter((fault) => fault === null)).toHaveLength(1);
        const ids = await Promise.all(stories.map(({ story }) => mirrorIdOf(story)));
        expect(ids.filter((id) => id === recordId)).toHaveLength(1);
      }
    });
  });

  it('is not taken while the peer is suspended, and is taken after it is resumed', async () => {
    const path = `/v1/admin/federation/peers/${hubs().pair.far.hubId}`;
    const { platform } = hubs().pair.home.world;
    let late: { readonly story: FederatedStory; readonly offer: OutgoingMessage };
    await hubs().whileFarIsUnreachable(async () => {
      late = await hubs().undelivered();
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
    // A message from the peer triggers a new delivery, and then the honest answer counts.
    await ok(first.onMirror('accept'));
    await until(async () => (await mirrorIdOf(late.story)) !== null, 60_000);
    await late!.story.arrives();
    expect(await mirrorIdOf(late!.story)).toBe(late!.story.mirrorId);
  });

  describe('that home takes while an operator suspends the peer', () => {
    // SQLite has one writer at a time, so a suspension cannot start inside another unit of work.
    const isShared = kind.name === 'mysql';
    const reads = () => home().part(TOKENS.federationReads);
    const change = (to: 'suspend' | 'resume') =>
      ok(
        hubs().pair.home.world.platform.post(
          `/v1/admin/federation/peers/${hubs().pair.far.hubId}/${to}`,
          { reason: 'under inquiry' },
        ),
      );

    /** A cancellation by home, and the answer of the other hub, which did not reach home. The door of that hub stays shut. */
    const answered = async (): Promise<{
      readonly story: FederatedStory;
      readonly message: OutgoingMessage;
      readonly answer: PeerAnswer;
    }> => {
      const story = await hubs().opened();
      hubs().pair.far.door.isShut = true;
      await ok(story.atHome('cancel', { reason: 'Not needed.' }));
      const message = (await reads().outgoingOf(story.homeId))[1]!;
      const sender = (await far().part(TOKENS.peerReads).find(hubs().pair.home.hubId))!;
      const body = JSON.parse(Buffer.from(message.body).toString()) as JsonObject;
      const answer = (await far()
        .part(TOKENS.peerReceivers)!
        .stateTransitions.execute(sender, body, 'test')) as PeerAnswer;
      expect(answer.outcome).toBe('applied');
      return { story, message, answer };
    };
    /** Takes the answer, and runs `beside` before or inside its unit of work. */
    const taking = async (
      { message, answer }: { readonly message: OutgoingMessage; readonly answer: PeerAnswer },
      beside: { readonly before?: () => Promise<void>; readonly hold?: (own: Hold) => Hold },
    ): Promise<void> => {
      const unitOfWork = home().part(TOKENS.unitOfWork);
      const begin = unitOfWork.transaction.bind(unitOfWork);
      const here = new AsyncLocalStorage<true>();
      const spy = vi.spyOn(unitOfWork, 'transaction').mockImplementation(async (work) => {
        if (!here.getStore()) return begin(work);
        await here.exit(async () => beside.before?.());
        const { hold } = beside;
        return begin(hold ? (stores) => work(holding(stores, hold)) : work);
      });
      try {
        await here.run(true, () => home().part(TakeAnswer).execute(message, answer, 'test'));
      } finally {
        spy.mockRestore();
      }
    };
    const storedAnswer = async ({ homeId }: FederatedStory, { sequence }: OutgoingMessage) =>
      (await reads().outgoingOf(homeId))[sequence - 1]!.answer;

    it('is not taken if the peer is suspended after the unit of work began', async () => {
      const late = await answered();
      let looks = 0;
      const suspended = async (): Promise<void> => {
        looks++;
        await change('suspend');
      };
      const hold =
        (look: Hold): Hold =>
        async (hubId) => {
          await suspended();
          return look(hubId);
        };
      try {
        await expect(
          taking(late, isShared ? { hold } : { before: suspended }),
        ).rejects.toMatchObject({ code: 'UNPROCESSABLE', members: { reason: 'unattested' } });
        expect(looks).toBe(1);
        expect(await storedAnswer(late.story, late.message)).toBeNull();
      } finally {
        hubs().pair.far.door.isShut = false;
        await change('resume');
      }
      // After the peer is resumed, home sends the message again and takes the answer.
      await until(async () => (await storedAnswer(late.story, late.message)) !== null, 60_000);
    });

    it.runIf(isShared)(
      'is taken before a suspension that waits for the lock of the peer',
      async () => {
        const held = await answered();
        const order: string[] = [];
        let suspension: Promise<unknown> = Promise.resolve();
        const hold =
          (look: Hold): Hold =>
          async (hubId) => {
            const peer = await look(hubId);
            suspension = change('suspend').then(() => order.push('suspended'));
            // A suspension that does not wait for the lock ends within this time.
            await sleep(500);
            order.push('went on');
            return peer;
          };
        try {
          await taking(held, { hold });
          await suspension;
          expect(order).toEqual(['went on', 'suspended']);
          expect(await storedAnswer(held.story, held.message)).toMatchObject({
            outcome: 'applied',
          });
        } finally {
          await suspension.catch(() => undefined);
          hubs().pair.far.door.isShut = false;
          await change('resume');
        }
      },
    );

    // The status of the peer must be read inside the unit of work, because a suspension may come before it.
    it('is not taken if the peer is suspended just before the unit of work', async () => {
      const { world } = hubs().pair.home;
      const story = new FederatedStory(hubs().pair);
      const path = `/v1/admin/federation/peers/${hubs().pair.far.hubId}`;
      const unitOfWork = home().part(TOKENS.unitOfWork);
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
      hubs().pair.far.door.isShut = true;
      try {
        await story.propose();
        const reads = home().part(TOKENS.federationReads);
        const [offer] = await reads.outgoingOf(story.homeId);
        const sender = (await far().part(TOKENS.peerReads).find(hubs().pair.home.hubId))!;
        const body = JSON.parse(Buffer.from(offer!.body).toString()) as JsonObject;
        const answer = (await far()
          .part(TOKENS.peerReceivers)!
          .stateTransitions.execute(sender, body, 'test')) as PeerAnswer;
        expect(answer.outcome).toBe('applied');
        const at = { isSuspended: false };
        await expect(
          taking.run(at, () => home().part(TakeAnswer).execute(offer!, answer, 'test')),
        ).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
        expect(at.isSuspended).toBe(true);
        expect((await reads.outgoingOf(story.homeId))[0]!.answer).toBeNull();
      } finally {
        spy.mockRestore();
        hubs().pair.far.door.isShut = false;
        await ok(world.platform.post(`${path}/resume`, {}));
      }
      await until(async () => (await story.home())['federation'].recordId !== null, 60_000);
    });
  });

  describe('that home attests at a position of its chain', () => {
    // The performer has two signed entries of home at one position. Otherwise its step waits forever, and its export is VALID.
    it.each(['applied', 'refused'] as const)(
      'is not followed if home seals another entry at its position: %s',
      async (outcome) => {
        const story = await hubs().opened();
        await hubs().whileHomeIsUnreachable(async () => {
          await story.onMirror('accept');
          const [step] = await far().part(TOKENS.federationReads).outgoingOf(story.mirrorId);
          const liar = await hubs().lyingHome(story);
          const head = headOf(await chainOf(hubs().principal, story.homeId));
          const stated = attestationStatement(home(), {
            recordId: story.homeId,
            orgId: hubs().pair.home.world.orgId,
            peerHubId: hubs().pair.far.hubId,
            statementHash: step!.statementHash,
            outcome,
            ...(outcome === 'refused' ? { code: 'NO' } : {}),
          });
          const sealed = await sealedAttestation(home(), stated, head);
          const { messageId } = step!;
          await far()
            .part(TakeAnswer)
            .execute(
              step!,
              outcome === 'applied'
                ? { messageId, outcome, attestation: sealed }
                : refusalBy(sealed),
              'test',
            );
          // Home puts another entry at that position.
          for (const n of [1, 2, 3]) {
            await liar.refer(n);
            await liar.send(await liar.message({ ack: 0 }));
          }
          const { detached } = (await story.mirror())['federation'] as Body;
          const { exitCode } = await hubs().verifiedMirror(story);
          expect([detached, exitCode]).not.toEqual([null, 0]);
        });
      },
    );
  });

  // This test is the last one because it revokes the peer.
  it('is not taken after the peer is revoked', async () => {
    await hubs().whileFarIsUnreachable(async () => {
      const { story, offer } = await hubs().undelivered();
      const { platform } = hubs().pair.home.world;
      await ok(platform.post(`/v1/admin/federation/peers/${hubs().pair.far.hubId}/revoke`, {}));
      expect(await taken(offer, randomUUID())).toContain('not ACTIVE');
      expect((await story.home())['federation']).toMatchObject({
        recordId: null,
        detached: 'peer_revoked',
      });
    });
  });
});

/** Just below the limit of an answer, 2 × (2 × MAX_BODY_BYTES + 512 KiB). */
const SIZE = 5_200_000;
const answers: Readonly<Record<string, string>> = {
  '1.7 million empty messages': `{"messages":[${'{},'.repeat(SIZE / 3)}{}]}`,
  '1.7 million messages and a duplicate member at the end': `{"messages":[${'{},'.repeat(SIZE / 3)}{"a":1,"a":2}]}`,
  '450,000 members': `{${Array.from({ length: 450_000 }, (_, at) => `"${at.toString(36)}":0`).join(',')}}`,
};

describe('a long answer', () => {
  const LIMIT = 40;
  const hubs = useLyingPair({
    env: (name): Readonly<Record<string, string>> =>
      name === 'far' ? { RATE_LIMIT_PEER: String(LIMIT) } : {},
  });

  /** Replaces the answer to the next message. */
  const answeringOnce = (body: Buffer): { readonly isAnswered: () => boolean } => {
    let isAnswered = false;
    hubs().pair.far.door.onAnswer = ({ path }, answer) => {
      if (isAnswered || path !== '/federation/v1/state-transitions') return;
      isAnswered = true;
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      Object.assign(answer, { status: 200, body, headers });
    };
    return { isAnswered: () => isAnswered };
  };

  /** The shortest of the longest gaps of up to three answers: the hubs do other things on this thread as well. */
  const gapAfter = async (body: Buffer): Promise<number> => {
    let best = Infinity;
    for (let tries = 0; tries < 3 && best >= 150; tries++) {
      const { isAnswered } = answeringOnce(body);
      const story = new FederatedStory(hubs().pair);
      const gap = await longestGap(async () => {
        await story.propose();
        await until(isAnswered, 60_000);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
      });
      best = Math.min(best, gap);
    }
    return best;
  };

  it('control: does not block the event loop if it is short', async () => {
    expect(await gapAfter(Buffer.from('{"messages":[{}]}'))).toBeLessThan(150);
  });

  it.each(Object.keys(answers))('does not block the event loop with %s', async (name) => {
    expect(await gapAfter(Buffer.from(answers[name]!))).toBeLessThan(150);
  });

  it('counts its messages against the same quota as posted messages', async () => {
    const [far] = hubs().far;
    const peer = (await far.part(TOKENS.peerReads).find(hubs().pair.home.hubId))!;
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
    const posted = await hubs()
      .home[0].part(TOKENS.peerTransport)
      .post(
        (await hubs().home[0].part(TOKENS.peerReads).find(hubs().pair.far.hubId))!,
        PEER_PATHS.stateTransitions,
        new TextEncoder().encode('{}'),
      );
    expect(posted.status).toBe(429);
  });
});
