import { beforeEach, describe, expect, it } from 'vitest';
import { toHex } from '../../../domain/kernel/digest.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { sourceOf, type DumpTexts } from '../../support/attackers/dump-files.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';
import { dumpOf } from '../../support/attackers/signed-dump.ts';

type Kept = ReturnType<TestHub['kept']>;

const FIVE_MINUTES = 300_000;

describe('a kept statement held against a dump', () => {
  let hub: TestHub;
  let chain: TestChain;
  let other: TestChain;
  beforeEach(async () => {
    hub = await TestHub.start();
    [other, chain] = [await hub.notarize(), await hub.gate()];
  });
  const hold = async (
    texts: DumpTexts,
    ...kept: readonly (Kept | string)[]
  ): Promise<VerificationReport> =>
    verifyDump(sourceOf(texts), {
      trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
      kept: kept.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    });
  const cutTo = (length: number): TestChain => ({
    ...chain,
    entries: chain.entries.slice(0, length),
    statements: chain.statements.slice(0, length),
    checkpoints: [],
  });
  const FAILED = { verdict: 'invalid', failures: [{ class: 'CHAIN_HASH_MISMATCH' }] };

  it('passes where it is the entry at its position, on any chain of the dump', async () => {
    const platform = { ...chain, entries: hub.platform };
    const kept = [
      hub.kept(platform, 1),
      hub.kept(other, 1),
      hub.kept(chain, 2),
      hub.kept(chain, 1),
    ];
    expect(await hold(await dumpOf(hub, [other, chain]), ...kept)).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      checks: { keptStatements: { result: 'passed', count: 4 } },
      kept: kept.map(({ chainKey, position }) => ({ chainKey, position, result: 'passed' })),
    });
  });

  it('shows that the operator signed both, where another entry stands at its position', async () => {
    const kept = hub.kept(other, 1);
    const again: TestChain = { ...other, entries: [], statements: [], checkpoints: [] };
    await hub.append(again, 'RECORD_RECORDED', { action: 'create', from: null, to: 'RECORDED' });
    expect(await hold(await dumpOf(hub, [again, chain]), kept)).toMatchObject(FAILED);
  });

  it('shows that it was removed, once a round began more than 300 s after it', async () => {
    const kept = hub.kept(chain, 3);
    const early = await hold(await dumpOf(hub, [other, cutTo(2)]), kept);
    expect(early).toMatchObject({ verdict: 'valid', exitCode: 2 });
    expect(early.kept[0]!.detail).toMatch(/beyond the head; .* fetch it again/);
    hub.pass(FIVE_MINUTES);
    expect(await hold(await dumpOf(hub, [other, cutTo(2)]), kept)).toMatchObject(FAILED);
  });

  it('shows that its whole chain was removed, with the checkpoints of it', async () => {
    const kept = hub.kept(chain, 1);
    hub.pass(FIVE_MINUTES);
    expect(await hold(await dumpOf(hub, [other]), kept)).toMatchObject(FAILED);
  });

  it('is missed by no round that had begun before it, however long that took', async () => {
    const gone = hub.kept(chain, 3);
    // The round looks at its chain first, and goes on for minutes.
    const texts = await dumpOf(hub, [cutTo(2), other], { pauseMs: 2 * FIVE_MINUTES });
    const report = await hold(texts, gone);
    expect(report).toMatchObject({ verdict: 'valid', exitCode: 2 });
  });

  it('is missed by the round of a dump that was begun after it', async () => {
    const gone = hub.kept(chain, 3);
    const exported = await dumpOf(hub, [other, cutTo(2)], {
      beforeRound: async () => {
        // An export has closed its chain long before the round.
        hub.pass(FIVE_MINUTES);
        await hub.platformEntry('DUMP_TAKEN', { withRound: true });
      },
    });
    expect(await hold(exported, gone)).toMatchObject(FAILED);
  });

  it('that does not verify, is of another service, or is none, is said to be so', async () => {
    const texts = await dumpOf(hub, [other, chain]);
    const stranger = await TestHub.start();
    const theirs = stranger.kept(await stranger.gate(), 1);
    const report = await hold(texts, { ...hub.kept(chain, 3), hash: '0'.repeat(64) }, theirs, '{');
    expect(report).toMatchObject({ verdict: 'valid', exitCode: 2, failures: [] });
    expect(report.kept.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('does not verify: CHAIN_HASH_MISMATCH'),
      expect.stringContaining('does not verify'),
      expect.stringContaining('no signed statement'),
    ]);
  });

  it('in a range that was acknowledged as lost is said to be so', async () => {
    const lost = hub.kept(chain, 3);
    await hub.platformEntry('REWIND_ACKNOWLEDGED', {
      chainKey: chain.chainKey,
      lostRange: { from: 3, to: 3 },
      lostHead: toHex(chain.entries[2]!.hash),
      checkpoint: 'a'.repeat(64),
      reason: null,
    });
    hub.pass(FIVE_MINUTES);
    const report = await hold(await dumpOf(hub, [other, cutTo(2)]), lost);
    expect(report).toMatchObject({ verdict: 'valid', exitCode: 2, failures: [] });
    expect(report.kept[0]!.detail).toContain('it was lost');
  });
});
