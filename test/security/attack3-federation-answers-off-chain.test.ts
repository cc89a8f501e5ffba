import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { sha256 } from '../../domain/kernel/digest.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { sealedBy } from '../support/forged-bytes.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { chainOf, type Body } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

describe(
  'a home that attests a step at a place of its chain, and never puts that there',
  { timeout: 60_000 },
  () => {
    // The performer holds two signed entries of home at one position. Its step waits for ever, and its file is VALID.
    it.each(['applied', 'refused'] as const)('is not followed on: %s', async (outcome) => {
      const story = await hubs.opened();
      hubs.pair.home.door.isShut = true;
      try {
        await story.onMirror('accept');
        const [far] = hubs.far;
        const [step] = await far.part(TOKENS.federationReads).outgoingOf(story.mirrorId);
        const liar = await hubs.lyingHome(story);
        const chain = await chainOf(hubs.principal, story.homeId);
        const newest = Buffer.from(String(chain.at(-1)!['coseSign1']), 'base64');
        const { header, predicate } = readEntry(newest)!;
        const { predicateBase } = hubs.home[0].part(Vault).hub;
        const attested = await sealedBy(
          hubs.home[0],
          counterAttestationStatement(predicateBase, {
            entryType: 'PEER_STATEMENT_ATTESTED',
            at: new Date().toISOString(),
            requestId: randomUUID(),
            actor: { kind: 'system' },
            recordId: story.homeId,
            orgId: hubs.pair.home.world.orgId,
            peerHubId: hubs.pair.far.hubId,
            sequence: 1,
            statementHash: step!.statementHash,
            outcome,
            ...(outcome === 'refused' ? { code: 'NO' } : {}),
          }),
          story.homeId,
          {
            chainKey: story.homeId,
            position: header.chain!.position,
            hash: sha256(newest),
            at: String(predicate['at']),
          },
        );
        const attestation = encodeBase64(attested);
        const { messageId } = step!;
        const refusal = { code: 'NO', detail: '', currentState: null, attemptedState: null };
        await far
          .part(TakeAnswer)
          .execute(
            step!,
            outcome === 'applied'
              ? { messageId, outcome, attestation }
              : { outcome, attestation, ...refusal },
            'test',
          );
        // What stands in that place now.
        for (const n of [1, 2, 3]) {
          await liar.refer(n);
          await liar.send(await liar.message({ ack: 0 }));
        }
        const { detached } = (await story.mirror())['federation'] as Body;
        const { exitCode } = await hubs.verifiedMirror(story);
        expect([detached, exitCode]).not.toEqual([null, 0]);
      } finally {
        hubs.pair.home.door.isShut = false;
      }
    });
  },
);
