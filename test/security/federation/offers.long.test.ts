import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FederatedParties } from '../../../application/sharing/federated-parties.ts';
import { TakeAnswer } from '../../../application/federation/take-answer.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import {
  attestationStatement,
  refusalBy,
  signedRefusal,
} from '../../support/attackers/forged-answers.ts';
import { ForgedOffers, verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { databases } from '../../support/databases/databases.ts';
import { FederatedStory } from '../../support/hubs/federated-story.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { JOB_TYPE, ok, type Body, type Client } from '../../support/service/world.ts';

/** The number 1e20 has 4 characters in the request, and 21 after it is parsed and serialised. */
const wide = `{"goal":"x","pad":"${'y'.repeat(850_000)}","list":[${Array.from({ length: 32_000 }, () => '1e20').join(',')}]}`;

const posted = async ({ url, key }: Client, path: string, body: object): Promise<Body> => {
  const text = JSON.stringify(body).replace('"WIDE"', () => wide);
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
    body: text,
  });
  return { status: answer.status, ...((await answer.json()) as Body) };
};

const KEY = { kty: 'OKP', crv: 'X25519', x: 'x'.repeat(43) };

describe.each(databases())('an offer on $name', (kind) => {
  const hubs = useLyingPair({ kind });

  describe('with a broken chain', () => {
    let offers: ForgedOffers;
    beforeAll(async () => {
      offers = await ForgedOffers.by(hubs().home, hubs().far, hubs().pair);
    });

    it('rejects entries that do not form a chain at the cost of a forged signature', async () => {
      const genuine = await offers.message((predicate) => predicate);
      const [entry] = genuine.entries;
      const entries = Array.from({ length: 1_000 }, () => entry!);
      const forged = Buffer.from(genuine.statement, 'base64');
      forged[forged.length - 1]! ^= 1;
      const cpuOf = async (statement: string): Promise<number> => {
        const before = process.cpuUsage();
        const message = { ...genuine, statement, messageId: randomUUID(), entries };
        expect((await offers.liar.send(message)).status).toBe(422);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      // In turns, and the least of each counts: the process does other things meanwhile, which only add to it.
      const [cheap, dear]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < 5; turn++) {
        cheap.push(await cpuOf(forged.toString('base64')));
        dear.push(await cpuOf(genuine.statement));
      }
      expect(Math.min(...dear)).toBeLessThan(2 * Math.min(...cheap) + 40_000);
    });
  });

  describe('with numbers that are longer in the message than in the request', () => {
    // A longer message gets a 413 from the peer, and then the delivery queue of the record is blocked forever.
    it('is delivered, or refused when the principal makes it', async () => {
      const { home, far } = hubs().pair;
      const type = { ...JOB_TYPE, type: 'wide', exampleCriteria: 'WIDE' };
      const registered = await posted(home.world.admin, '/v1/schemas', type);
      const recordIds = async () =>
        ((await ok(hubs().principal.get('/v1/records?limit=200')))['data'] as Body[]).map(
          ({ id }) => String(id),
        );
      const before = await recordIds();
      const record = await posted(hubs().principal, '/v1/records', {
        type: 'wide',
        criteria: 'WIDE',
        federation: { peerHubId: far.hubId, performerAgentId: far.world.performer.id },
      });
      if (!record['id']) {
        expect(registered['status']).toBe('active');
        expect(record).toMatchObject({ status: 422, reason: 'too_long_for_peer' });
        expect(String(record['suggestion'])).toContain('shorter');
        // Nothing of it is stored, and a shorter record is accepted.
        expect(await recordIds()).toEqual(before);
        await hubs().opened();
        return;
      }
      const letters = () => ok(home.world.platform.get('/federation/v1/admin/dlq'));
      const view = () => ok(hubs().principal.get(`/v1/records/${String(record['id'])}`));
      await until(
        async () =>
          (await letters())['total'] > 0 || (await view())['federation'].recordId !== null,
      );
      expect((await letters())['data']).toEqual([]);
    });
  });

  describe('with keys of the principal that are not valid', () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    /** Home names these keys for its principal, and every step of the mirror repeats them. */
    const withKeys = (keys: JsonObject): void => {
      const parties = hubs().home[0].part(FederatedParties);
      const of = parties.of.bind(parties);
      vi.spyOn(parties, 'of').mockImplementation(async (...input) => {
        const honest = await of(...input);
        return { ...honest, principal: { ...honest.principal, ...keys } };
      });
    };

    it('control: accepts a well-formed key', async () => {
      withKeys({ encryptionKeyJwk: KEY });
      const story = await hubs().opened();
      await ok(story.onMirror('accept'));
    });

    // With such keys the acceptance of the performer can be sealed, and the longer completion cannot.
    it.each([
      ['a key of 60,000 letters', { encryptionKeyJwk: { ...KEY, x: 'x'.repeat(60_000) } }],
      ['a key with additional members', { encryptionKeyJwk: { ...KEY, kid: 'x'.repeat(60_000) } }],
      ['65 keys', { signingKeys: Array<JsonObject>(65).fill(KEY) }],
    ])(
      'rejects an offer that the performer could accept but not complete: %s',
      async (_name, keys) => {
        withKeys(keys);
        const story = new FederatedStory(hubs().pair);
        await story.propose();
        const letters = () => ok(hubs().pair.home.world.platform.get('/federation/v1/admin/dlq'));
        await until(async () =>
          ((await letters())['data'] as readonly JsonObject[]).some(
            ({ recordId }) => recordId === story.homeId,
          ),
        );
      },
    );
  });

  describe('that the peer does not answer, although it sends steps', () => {
    beforeEach(() => {
      hubs().pair.far.door.onAnswer = ({ path }) => {
        if (path === '/federation/v1/state-transitions') throw new Error('the answer is lost');
      };
    });
    afterEach(() => {
      hubs().pair.far.door.onAnswer = () => undefined;
    });

    const proposed = async (): Promise<FederatedStory> => {
      const story = new FederatedStory(hubs().pair);
      await story.propose();
      await story.arrives();
      return story;
    };

    // The entries of the peer name its chain, and no answer of the peer names that chain.
    it('keeps the export of home valid', async () => {
      const story = await proposed();
      await story.onMirror('accept');
      await until(async () => (await story.home())['status'] === 'ACTIVE');
      expect((await story.home())['federation'].recordId).toBeNull();
      const { failures } = await verifiedExport(hubs().principal, story.homeId, hubs().pair.home);
      expect(failures).toEqual([]);
    });

    it('keeps the export of home valid if it refuses the offer after a step', async () => {
      const story = await proposed();
      await story.onMirror('counter-propose', { criteria: { goal: 'another one', threshold: 3 } });
      await until(async () => (await story.home())['awaiting'] === 'principal');
      const [home] = hubs().home;
      const [offer] = await home.part(TOKENS.federationReads).outgoingOf(story.homeId);
      expect(offer!.answer).toBeNull();
      const stated = attestationStatement(hubs().far[0], {
        recordId: story.homeId,
        peerHubId: hubs().pair.home.hubId,
        statementHash: offer!.statementHash,
        outcome: 'refused',
        code: 'AGENT_UNKNOWN',
      });
      const signed = encodeBase64(await signedRefusal(hubs().far[0], stated));
      await home
        .part(TakeAnswer)
        .execute(offer!, refusalBy(signed, 'AGENT_UNKNOWN'), 'test')
        .catch(() => undefined);
      // Home has both statements of the peer, so its export proves the contradiction.
      expect((await story.home())['federation'].detached).toBe('equivocation');
      const { failures } = await verifiedExport(hubs().principal, story.homeId, hubs().pair.home);
      expect(failures).toEqual([]);
    });
  });
});
