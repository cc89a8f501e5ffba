import { beforeAll, describe, expect, it } from 'vitest';
import { signReceipt } from '../../../domain/transparency/receipt.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { withReceipts } from '../../../domain/transparency/scitt-statement.ts';
import type { Seal } from '../../../domain/vault/chain.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

/** Each with a receipt of a log that holds it alone. */
const attestationOf = async (
  chain: TestChain,
  { hub, seal = hub.seal, log = `scitt:${hub.orgId}` }: { hub: TestHub; seal?: Seal; log?: string },
): Promise<Uint8Array[]> =>
  Promise.all(
    chain.entries.map(async ({ coseSign1 }) => {
      const proof = { kind: 'inclusion', treeSize: 1, leafIndex: 0, path: [] } as const;
      return withReceipts(coseSign1, [await signReceipt(seal, log, proof, leafHash(coseSign1))]);
    }),
  );

/** A byte of each part, from the begin of the structure or from its end. The tree size of a proof is not signed. */
const PARTS: readonly (readonly [string, number])[] = [
  ['header', 20],
  ['payload', -300],
  ['signature', -20],
];

describe('receipts beside an export', () => {
  let hub: TestHub;
  let chain: TestChain;
  let items: Uint8Array[];
  beforeAll(async () => {
    hub = await TestHub.start();
    chain = await hub.gate();
    items = await attestationOf(chain, { hub });
  });
  const verify = async (
    receipts: readonly Uint8Array[],
    of: { hub: TestHub; chain: TestChain } = { hub, chain },
  ): Promise<VerificationReport> =>
    verifyFile(JSON.stringify(await of.hub.export(of.chain)), {
      trust: trustOf({ kind: 'keys', spki: [of.hub.spki] }),
      receipts,
    });
  const together = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

  it('that hold for all of its entries pass, and the report says what they show', async () => {
    const report = await verify([together(items)]);
    expect(report).toMatchObject({
      verdict: 'valid',
      checks: { receipts: { result: 'passed', count: 3 } },
    });
    expect(report.notes.join()).toContain('3 of 3 entries have a receipt that holds');
  });

  it('of entries that were not in the log yet are missed in words, and nothing fails', async () => {
    for (const [given, missing] of [
      [items.slice(0, 2), 1],
      [[], 3],
    ] as const) {
      const report = await verify([together(given)]);
      expect(report).toMatchObject({ verdict: 'valid', exitCode: 0, failures: [], reasons: [] });
      expect(report.checks.receipts.result).toBe('skipped_no_input');
      expect(report.notes.join()).toContain(`${missing} of 3 entries have no receipt`);
    }
  });

  it('of the entries of another chain cannot be told, and prove nothing', async () => {
    const other = await attestationOf(await hub.notarize(), { hub });
    const report = await verify([together(other)]);
    expect(report).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    expect(report.reasons.join()).toContain('those of another record');
    expect(report.situations).toEqual(['receipts']);
    expect(report.notes.join()).toContain('3 of 3 entries have no receipt');
  });

  it.each(PARTS)(
    'never make a valid file once the %s of their entry was changed',
    async (_part, back) => {
      for (const [index, item] of items.entries()) {
        const changed = Uint8Array.from(item);
        changed[back < 0 ? item.length + back : back]! ^= 1;
        const { verdict } = await verify([together(items.with(index, changed))]);
        expect({ index, verdict }).not.toEqual({ index, verdict: 'valid' });
      }
    },
  );

  it('of another entry at a position of the export contradict it, and those of later ones do not', async () => {
    const fork = {
      ...chain,
      entries: chain.entries.slice(0, 2),
      statements: chain.statements.slice(0, 2),
    };
    await hub.append(fork, 'RECORD_CANCELLED', {
      action: 'cancel',
      from: 'ACTIVE',
      to: 'CANCELLED',
    });
    const other = await attestationOf({ ...fork, entries: fork.entries.slice(2) }, { hub });
    expect(await verify([together([...items, ...other])])).toMatchObject({
      verdict: 'invalid',
      failures: expect.arrayContaining([
        expect.objectContaining({ class: 'CHAIN_HASH_MISMATCH', position: 3 }),
      ]),
    });
    const shorter = { ...chain, entries: chain.entries.slice(0, 2) };
    const report = await verify([together(items)], { hub, chain: shorter });
    expect(report.failures.map((one) => one.class)).not.toContain('CHAIN_HASH_MISMATCH');
    expect(report.notes.join()).toContain('newer than the export');
  });

  it('of another entry, of another log, or that cannot be read make it invalid', async () => {
    const first = chain.entries[0]!.coseSign1;
    const proof = { kind: 'inclusion', treeSize: 1, leafIndex: 0, path: [] } as const;
    const ofSecond = await signReceipt(
      hub.seal,
      `scitt:${hub.orgId}`,
      proof,
      leafHash(chain.entries[1]!.coseSign1),
    );
    const elsewhere = await attestationOf(chain, { hub, log: `scitt:${hub.principal}` });
    for (const [receipts, failureClass] of [
      [withReceipts(first, [ofSecond]), 'CHECKPOINT_SIGNATURE_INVALID'],
      [together(elsewhere), 'CHECKPOINT_ROOT_MISMATCH'],
      [withReceipts(first, [Uint8Array.of(1)]), 'CHECKPOINT_ROOT_MISMATCH'],
      [together(items).subarray(0, -1), 'CHAIN_COSE_DECODE_FAILED'],
    ] as const) {
      const { verdict, failures } = await verify([receipts]);
      expect([verdict, failures[0]?.class]).toEqual(['invalid', failureClass]);
    }
  });

  it('by a key that the export says is retired prove nothing', async () => {
    const aged = await TestHub.start();
    const old = aged.seal;
    await aged.rotate();
    const record = await aged.gate();
    const leaked = await attestationOf(record, { hub: aged, seal: old });
    const { notes, checks } = await verify([together(leaked)], { hub: aged, chain: record });
    expect(notes.join()).toContain('was retired on schedule');
    expect(notes.join()).not.toContain('have a receipt that holds');
    expect(checks.receipts.result).toBe('passed');
  });
});
