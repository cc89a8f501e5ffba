import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import type { Stores } from '../../application/unit-of-work.port.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { databases } from '../support/databases.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { HubDatabases } from '../support/hub-databases.ts';
import { HubPair, noting, until, type OpenRuntime } from '../support/hub-pair.ts';
import { ok } from '../support/world.ts';

type Hold = Stores['peers']['hold'];

/** A unit of work whose look at the peer is another one. */
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

describe.each(databases())(
  'a peer whose answer is taken, on $name',
  { timeout: 120_000 },
  (kind) => {
    // One writer at a time: there nobody can suspend a peer in the middle of another unit of work.
    const isShared = kind.name === 'mysql';
    const own = new HubDatabases(kind);
    const runtimes: OpenRuntime[] = [];
    let pair: HubPair;
    let path: string;
    beforeAll(async () => {
      pair = await HubPair.open(noting(runtimes), own.env);
      await pair.peer();
      path = `/v1/admin/federation/peers/${pair.far.hubId}`;
    }, 120_000);
    afterAll(async () => {
      await pair?.close();
      await own.drop();
    });
    const reads = () => runtimes[0]!.part(TOKENS.federationReads);
    const change = (to: 'suspend' | 'resume') =>
      ok(pair.home.world.platform.post(`${path}/${to}`, { reason: 'under inquiry' }));

    /** Home's cancellation, and the answer of the other hub, which home has not got yet. The door of that hub is shut. */
    const answered = async (): Promise<{
      readonly story: FederatedStory;
      readonly message: OutgoingMessage;
      readonly answer: PeerAnswer;
    }> => {
      const story = new FederatedStory(pair);
      await story.propose();
      await story.arrives();
      await until(async () => (await story.home())['federation'].recordId !== null, 60_000);
      pair.far.door.isShut = true;
      await ok(story.atHome('cancel', { reason: 'Not needed.' }));
      const message = (await reads().outgoingOf(story.homeId))[1]!;
      const far = runtimes[1]!;
      const sender = (await far.part(TOKENS.peerReads).find(pair.home.hubId))!;
      const body = JSON.parse(Buffer.from(message.body).toString()) as JsonObject;
      const answer = (await far
        .part(TOKENS.peerReceivers)!
        .stateTransitions.execute(sender, body, 'test')) as PeerAnswer;
      expect(answer.outcome).toBe('applied');
      return { story, message, answer };
    };
    /** Takes the answer, and lets something happen beside it. */
    const taking = async (
      { message, answer }: { readonly message: OutgoingMessage; readonly answer: PeerAnswer },
      beside: { readonly before?: () => Promise<void>; readonly hold?: (own: Hold) => Hold },
    ): Promise<void> => {
      const unitOfWork = runtimes[0]!.part(TOKENS.unitOfWork);
      const begin = unitOfWork.transaction.bind(unitOfWork);
      const here = new AsyncLocalStorage<true>();
      const spy = vi.spyOn(unitOfWork, 'transaction').mockImplementation(async (work) => {
        if (!here.getStore()) return begin(work);
        await here.exit(async () => beside.before?.());
        const { hold } = beside;
        return begin(hold ? (stores) => work(holding(stores, hold)) : work);
      });
      try {
        await here.run(true, () => runtimes[0]!.part(TakeAnswer).execute(message, answer, 'test'));
      } finally {
        spy.mockRestore();
      }
    };
    const keptAnswer = async ({ homeId }: FederatedStory, { sequence }: OutgoingMessage) =>
      (await reads().outgoingOf(homeId))[sequence - 1]!.answer;

    it('is seen suspended by a unit of work that began before', async () => {
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
        expect(await keptAnswer(late.story, late.message)).toBeNull();
      } finally {
        pair.far.door.isShut = false;
        await change('resume');
      }
      // Resumed, it is asked again, and what it says again counts.
      await until(async () => (await keptAnswer(late.story, late.message)) !== null, 60_000);
    });

    it.runIf(isShared)('is suspended only after that unit of work, once it is held', async () => {
      const held = await answered();
      const order: string[] = [];
      let suspension: Promise<unknown> = Promise.resolve();
      const hold =
        (look: Hold): Hold =>
        async (hubId) => {
          const peer = await look(hubId);
          suspension = change('suspend').then(() => order.push('suspended'));
          // Time enough for one that nothing holds back.
          await sleep(500);
          order.push('went on');
          return peer;
        };
      try {
        await taking(held, { hold });
        await suspension;
        expect(order).toEqual(['went on', 'suspended']);
        expect(await keptAnswer(held.story, held.message)).toMatchObject({ outcome: 'applied' });
      } finally {
        await suspension.catch(() => undefined);
        pair.far.door.isShut = false;
        await change('resume');
      }
    });
  },
);
