import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import { databases } from '../support/databases.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { HubDatabases } from '../support/hub-databases.ts';
import { HubPair, noting, until, type OpenRuntime } from '../support/hub-pair.ts';

describe.each(databases())('a refusal with a long code, on $name', { timeout: 60_000 }, (kind) => {
  const runtimes: OpenRuntime[] = [];
  const own = new HubDatabases(kind);
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(noting(runtimes), own.env);
    await pair.peer();
    const story = new FederatedStory(pair);
    await story.propose();
    await until(async () => (await story.home())['federation'].recordId !== null);
  }, 120_000);
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  // A statement may have 65,536 bytes; the column is a BLOB, which has 65,535 on MySQL. The answer is an error of the database,
  // and no failure of the lane: the offer is sent again as often as the lease ends, with no wait, no breaker and no DLQ.
  it('is taken or refused, and fails in no database', async () => {
    const story = new FederatedStory(pair);
    pair.far.door.isShut = true;
    try {
      await story.propose();
      const [offer] = await runtimes[0]!.part(TOKENS.federationReads).outgoingOf(story.homeId);
      const { seal, hub } = runtimes[1]!.part(Vault);
      const at = new Date().toISOString();
      const stated = counterAttestationStatement(hub.predicateBase, {
        entryType: 'PEER_STATEMENT_ATTESTED',
        at,
        requestId: 'r',
        actor: { kind: 'system' },
        recordId: story.homeId,
        peerHubId: pair.home.hubId,
        sequence: 1,
        statementHash: offer!.statementHash,
        outcome: 'refused',
        code: 'X'.repeat(64_600),
      } as never);
      const bytes = await signStatement(seal, 'projection', story.homeId, stated, at);
      expect(bytes.length).toBeGreaterThan(65_535);
      const answer = {
        outcome: 'refused',
        attestation: Buffer.from(bytes).toString('base64'),
        code: 'NO',
        detail: '',
        currentState: null,
        attemptedState: null,
      } as const;
      const failed = await runtimes[0]!
        .part(TakeAnswer)
        .execute(offer!, answer, 'test')
        .then(
          () => null,
          (error: unknown) => error,
        );
      expect(failed === null || failed instanceof NotaryError).toBe(true);
    } finally {
      pair.far.door.isShut = false;
    }
  });
});
