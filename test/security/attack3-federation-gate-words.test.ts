import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { MAX_STATEMENT_BYTES } from '../../domain/vault/statement.ts';
import type { LyingHub } from '../support/lying-hub.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok, type Body } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const WEEK_MS = 7 * 86_400_000;

/** Home carries out the completion that the performer offered, and says of its gate what `detailFor` gives. */
const carriedOut = async (detailFor: (say: Say, liar: LyingHub) => Promise<string>) => {
  const story = await hubs.opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  hubs.pair.home.door.isShut = true;
  try {
    await ok(story.onMirror('completions', { evidence: { score: 0 } }));
    const reads = hubs.far[0].part(TOKENS.federationReads);
    const offered = (await reads.outgoingOf(story.mirrorId)).at(-1)!;
    const body = JSON.parse(Buffer.from(offered.body).toString('utf8')) as Body;
    const said = readEntry(Buffer.from(body['entries'].at(-1), 'base64'))!.predicate;
    const liar = await hubs.lyingHome(story);
    const say: Say = async (detail) => {
      const at = new Date().toISOString();
      const inputsDigest = 'ab'.repeat(32);
      const result = { gateId: 'score', outcome: 'fail', severity: 'block', inputsDigest, detail };
      await liar.say('COMPLETION_SUBMITTED', ['submit-completion', 'ACTIVE', 'ACTIVE'], {
        actor: { kind: 'peer', peerHubId: hubs.pair.far.hubId },
        at,
        awaiting: 'principal',
        expiresAt: new Date(Date.parse(at) + WEEK_MS).toISOString(),
        completionId: said['completionId'],
        evidenceHash: said['evidenceHash'],
        gate: { state: 'ADVISORY_FAILED', now: at, inputsDigest, results: [result] },
      });
    };
    await say(await detailFor(say, liar));
    const { status, body: answer } = await liar.send(
      await liar.message({ ack: offered.sequence }, body['content']),
    );
    const { federation } = await story.mirror();
    const { failures } = await hubs.verifiedMirror(story);
    return { status, reason: answer['reason'], detail: answer['detail'], federation, failures };
  } finally {
    hubs.pair.home.door.isShut = false;
  }
};
type Say = (detail: string) => Promise<void>;

describe('what home says of its gates', { timeout: 60_000 }, () => {
  it('control: is followed as a gate says it', async () => {
    const told = await carriedOut(() => Promise.resolve('It is too low.'));
    expect(told).toMatchObject({ status: 200, failures: [] });
  });

  // 512 letters are the most that a caller here may claim of a gate.
  it('is no text without end', async () => {
    const told = await carriedOut(() => Promise.resolve('x\u202e'.repeat(5_000)));
    expect(told).toMatchObject({ status: 422, reason: 'BROKEN' });
  });

  // What home could just seal is too long with what the mirror adds: neither applied nor detached, for ever.
  it('is applied or refused under seal, however long it is', async () => {
    const told = await carriedOut(async (say) => {
      const tooLong = await say('x'.repeat(MAX_STATEMENT_BYTES)).then(
        () => '',
        (error: unknown) => (error instanceof NotaryError ? error.message : ''),
      );
      const bytes = Number(/has (\d+) bytes/.exec(tooLong)?.[1]);
      return 'x'.repeat(2 * MAX_STATEMENT_BYTES - bytes);
    });
    expect(told.failures).toEqual([]);
    expect([told.status, told.federation.detached]).not.toEqual([422, null]);
  });
});
