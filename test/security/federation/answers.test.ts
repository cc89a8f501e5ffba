import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../../application/federation/take-answer.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { counterAttestationStatement } from '../../../domain/record/record-statement.ts';
import { statement, type Statement } from '../../../domain/vault/statement.ts';
import {
  attestation,
  attestationStatement,
  refusalBy,
  sealedAttestation,
  signedRefusal,
} from '../../support/attackers/forged-answers.ts';
import { verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { Stranger } from '../../support/hubs/stranger.ts';

interface Forgery {
  readonly outcome: 'applied' | 'refused';
  readonly isOnChain: boolean;
  /** Turns the predicate of an honest hub into the statement that the liar signs. */
  readonly signed: (predicate: JsonObject, base: string) => Statement;
}
const honest = (predicate: JsonObject, base: string): Statement =>
  counterAttestationStatement(base, predicate as never);
const onChain = { outcome: 'applied', isOnChain: true } as const;

describe.each(quickDatabases())('an answer to an offer, on $name', (kind) => {
  const hubs = useLyingPair({ kind });
  beforeAll(async () => {
    // Home learns the vault key of the other hub.
    await hubs().opened();
  });

  /** The peer answers an offer. @returns whether home took the answer, and the failures of home's export after that. */
  const answered = ({ outcome, isOnChain, signed }: Forgery) =>
    hubs().whileFarIsUnreachable(async () => {
      const [home] = hubs().home;
      const [far] = hubs().far;
      const { story, offer } = await hubs().undelivered();
      const stated = signed(
        attestation({
          recordId: isOnChain ? randomUUID() : story.homeId,
          ...(isOnChain ? { orgId: hubs().pair.far.world.orgId } : {}),
          peerHubId: hubs().pair.home.hubId,
          statementHash: offer.statementHash,
          outcome,
          ...(outcome === 'refused' ? { code: 'NO' } : {}),
        }),
        far.part(Vault).hub.predicateBase,
      );
      const bytes = isOnChain
        ? await sealedAttestation(far, stated)
        : encodeBase64(await signedRefusal(far, stated));
      const { messageId } = offer;
      const isTaken = await home
        .part(TakeAnswer)
        .execute(
          offer,
          outcome === 'applied' ? { messageId, outcome, attestation: bytes } : refusalBy(bytes),
          'test',
        )
        .then(
          () => true,
          () => false,
        );
      const { failures } = await verifiedExport(hubs().principal, story.homeId, hubs().pair.home);
      return { isTaken, failures };
    });

  it.each<[string, Forgery]>([
    ['applied', { ...onChain, signed: honest }],
    ['refused', { outcome: 'refused', isOnChain: false, signed: honest }],
  ])('control: is taken if it is honest: %s', async (_name, forgery) => {
    expect(await answered(forgery)).toEqual({ isTaken: true, failures: [] });
  });

  // If home takes one of these, its export is INVALID.
  it.each<[string, Forgery]>([
    [
      'with another subject',
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
      'with a foreign type of predicate',
      { ...onChain, signed: (predicate) => honest(predicate, 'https://elsewhere.example') },
    ],
    [
      'with a claim of equivocation',
      {
        ...onChain,
        signed: (predicate, base) =>
          honest(
            { ...predicate, entryType: 'PEER_EQUIVOCATION', otherHash: 'cd'.repeat(32) },
            base,
          ),
      },
    ],
    ['with a refusal on a chain', { ...onChain, outcome: 'refused', signed: honest }],
    [
      'with a refusal that names an org',
      {
        outcome: 'refused',
        isOnChain: false,
        signed: (predicate, base) => honest({ ...predicate, orgId: randomUUID() }, base),
      },
    ],
  ])('does not invalidate the export of home %s', async (_name, forgery) => {
    expect((await answered(forgery)).failures).toEqual([]);
  });

  // A statement may have 65,536 bytes, and a BLOB of MySQL has 65,535. An error of the database is not a failure of the
  // lane, so the offer would be sent again without a wait, a breaker or the DLQ.
  it('does not fail in the database with a refusal code of 64,600 letters', () =>
    hubs().whileFarIsUnreachable(async () => {
      const { story, offer } = await hubs().undelivered();
      const stated = attestationStatement(hubs().far[0], {
        requestId: 'r',
        recordId: story.homeId,
        peerHubId: hubs().pair.home.hubId,
        statementHash: offer.statementHash,
        outcome: 'refused',
        code: 'X'.repeat(64_600),
      });
      const bytes = await signedRefusal(hubs().far[0], stated);
      expect(bytes.length).toBeGreaterThan(65_535);
      const failed = await hubs()
        .home[0].part(TakeAnswer)
        .execute(offer, refusalBy(encodeBase64(bytes)), 'test')
        .then(
          () => null,
          (error: unknown) => error,
        );
      expect(failed === null || failed instanceof NotaryError).toBe(true);
    }));

  describe('from a stranger', () => {
    // A handshake under the id of a peer is not stored, but it counts like any other.
    it('does not learn from answers or rate limits whether a hub is a peer', async () => {
      const reached = { service: { url: hubs().pair.far.door.hub } };
      const statuses = async (hubId: string): Promise<readonly number[]> => {
        const all: number[] = [];
        for (let turn = 0; turn < 5; turn++)
          all.push((await new Stranger(hubId).greet(reached)).status);
        return all;
      };
      const ofPeer = await statuses(hubs().pair.home.hubId);
      expect(ofPeer).toEqual([200, 200, 200, 429, 429]);
      // Both kinds share one limit.
      expect(await statuses(randomUUID())).toEqual([429, 429, 429, 429, 429]);
    });
  });
});
