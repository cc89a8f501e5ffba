import { describe, expect, it } from 'vitest';
import { toHex } from '../../../domain/kernel/digest.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';
import { verifySignedDump } from '../../support/attackers/signed-dump.ts';

const CREATED = { action: 'create', from: null, to: 'ACTIVE' } as const;
const DELEGATED = { action: 'delegate', from: 'ACTIVE', to: 'ACTIVE' } as const;
const CANCELLED = { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' } as const;
const REFERRED = { action: 'add-reference', from: 'ACTIVE', to: 'ACTIVE' } as const;
const VERIFIED = { action: 'verify-cascade', from: 'ACTIVE', to: 'ACTIVE' } as const;

const TWO_HOURS = 2 * 3_600_000;

/** What the chain of the parent seals of the child, where the tests change it. */
interface Lie {
  readonly headHash?: string;
  readonly status?: 'ACTIVE' | 'PROPOSED';
  readonly parentRecordId?: string;
  readonly isNamed?: boolean;
  readonly depth?: number;
}

const treeOf = async (hub: TestHub, chains: readonly TestChain[]): Promise<VerificationReport> => {
  const records: object[] = [];
  let frame = {};
  for (const chain of chains) {
    const { formatVersion, canonicalization, exportedAt, service, ...rest } =
      await hub.export(chain);
    const { keys, keyStatements, verificationGuide, ...record } = rest;
    records.push(record);
    frame = { formatVersion, canonicalization, exportedAt, service };
    frame = { ...frame, keys, keyStatements, verificationGuide };
  }
  return verifyFile(JSON.stringify({ ...frame, omitted: 0, records }), {
    trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
  });
};

/** An export of the tree shows these as well. */
describe.each([
  { order: 'after it', isChildFirst: false },
  { order: 'before it', isChildFirst: true },
])(
  'an operator whose dump says of a child what its chain, which stands $order, does not say',
  ({ isChildFirst }) => {
    const family = async (
      hub: TestHub,
      { headHash, status = 'ACTIVE', parentRecordId, isNamed = true, depth = 1 }: Lie = {},
    ): Promise<readonly [TestChain, TestChain]> => {
      const [first, second] = [hub.chain(), hub.chain()];
      const [parent, child] = isChildFirst ? [second, first] : [first, second];
      await hub.append(parent, 'RECORD_CREATED', CREATED);
      Object.assign(child.record, {
        parentRecordId: parentRecordId ?? parent.chainKey,
        rootRecordId: parent.chainKey,
        depth,
      });
      await hub.append(child, 'RECORD_CREATED', CREATED);
      const children = [
        {
          id: child.chainKey,
          status,
          headHash: headHash ?? toHex(child.entries[0]!.hash),
          disputed: false,
        },
      ];
      if (isNamed) await hub.append(parent, 'CHILD_DELEGATED', DELEGATED, { children });
      return [parent, child];
    };
    const verifiedAs = (
      hub: TestHub,
      [parent, child]: readonly [TestChain, TestChain],
      status: RecordStatus,
      headHash = toHex(child.entries.at(-1)!.hash),
    ): Promise<void> =>
      hub.append(parent, 'CASCADE_VERIFIED', VERIFIED, {
        children: [{ id: child.chainKey, status, headHash, disputed: false }],
      });
    const cancel = (hub: TestHub, child: TestChain): Promise<void> =>
      hub.append(child, 'RECORD_CANCELLED', CANCELLED, { cancelledBy: 'principal' });
    const classesOf = async (
      hub: TestHub,
      chains: readonly TestChain[],
    ): Promise<readonly string[]> => [
      ...new Set((await verifySignedDump(hub, chains)).failures.map((one) => one.class)),
    ];
    const MISMATCH = ['CHAIN_PAYLOAD_BINDING_MISMATCH'];

    it('is believed where both say the same', async () => {
      const hub = await TestHub.start();
      const chains = await family(hub);
      expect(await verifySignedDump(hub, chains)).toMatchObject({ verdict: 'valid' });
      await cancel(hub, chains[1]);
      await verifiedAs(hub, chains, 'CANCELLED');
      await verifiedAs(hub, chains, 'CANCELLED');
      hub.pass(TWO_HOURS);
      expect(await verifySignedDump(hub, chains)).toMatchObject({ verdict: 'valid', failures: [] });
    });

    it('its first entry is another one', async () => {
      const hub = await TestHub.start();
      const chains = await family(hub, { headHash: 'c'.repeat(64) });
      expect(await classesOf(hub, chains)).toEqual(MISMATCH);
    });

    it('it begins with another status', async () => {
      const hub = await TestHub.start();
      expect(await classesOf(hub, await family(hub, { status: 'PROPOSED' }))).toEqual(MISMATCH);
    });

    it('it is the child of another record', async () => {
      const hub = await TestHub.start();
      const other = await hub.notarize();
      const chains = await family(hub, { parentRecordId: other.chainKey });
      expect(await classesOf(hub, [...chains, other])).toEqual(MISMATCH);
    });

    it('it is delegated with its second entry', async () => {
      const hub = await TestHub.start();
      const [parent, child] = await family(hub);
      await hub.append(child, 'REFERENCE_ADDED', REFERRED);
      parent.entries.pop();
      parent.statements.pop();
      const headHash = toHex(child.entries[1]!.hash);
      await hub.append(parent, 'CHILD_DELEGATED', DELEGATED, {
        children: [{ id: child.chainKey, status: 'ACTIVE', headHash, disputed: false }],
      });
      expect(await classesOf(hub, [parent, child])).toEqual(MISMATCH);
    });

    it('it stands at depth 2, right below a root that is no mirror', async () => {
      const hub = await TestHub.start();
      const chains = await family(hub, { depth: 2 });
      expect(await classesOf(hub, chains)).toEqual(MISMATCH);
      expect(await treeOf(hub, chains)).toMatchObject({
        verdict: 'invalid',
        failures: [{ class: MISMATCH[0], chainKey: chains[1].chainKey, position: 1 }],
      });
    });

    it('it has ended otherwise', async () => {
      const hub = await TestHub.start();
      const chains = await family(hub);
      await cancel(hub, chains[1]);
      await verifiedAs(hub, chains, 'EXPIRED');
      expect(await classesOf(hub, chains)).toEqual(MISMATCH);
    });

    it('it is fulfilled, while its chain ends ACTIVE', async () => {
      const hub = await TestHub.start();
      const chains = await family(hub);
      await verifiedAs(hub, chains, 'FULFILLED', 'e'.repeat(64));
      // A round that has read the head of the child goes on to seal it while both chains grow.
      const early = await verifySignedDump(hub, chains);
      expect(early).toMatchObject({ verdict: 'cannot_tell', failures: [] });
      expect(early.reasons.join()).toContain('1 state of a child is sealed on the chains of their');
      hub.pass(TWO_HOURS);
      expect(await classesOf(hub, chains)).toEqual(MISMATCH);
    });

    it('its parent never names it, though its chain goes on', async () => {
      const hub = await TestHub.start();
      const [parent, child] = await family(hub, { isNamed: false });
      // A dump may end between the checkpoints of the two.
      const early = await verifySignedDump(hub, [parent, child]);
      expect(early).toMatchObject({ verdict: 'cannot_tell', failures: [] });
      expect(early.reasons.join()).toContain('1 record names a parent of which');
      hub.pass(120_000);
      await cancel(hub, parent);
      const report = await verifySignedDump(hub, [parent, child]);
      expect(report.failures).toMatchObject([
        { class: MISMATCH[0], chainKey: child.chainKey, position: 1 },
      ]);
    });

    it('its parent never names it, and was covered long after', async () => {
      const hub = await TestHub.start();
      const [parent, child] = await family(hub, { isNamed: false });
      hub.pass(TWO_HOURS);
      expect(await classesOf(hub, [parent, child])).toEqual(MISMATCH);
    });

    it('its parent never names it, in an export of the tree', async () => {
      const hub = await TestHub.start();
      expect(await treeOf(hub, await family(hub))).toMatchObject({
        verdict: 'valid',
        failures: [],
      });
      const [parent, child] = await family(hub, { isNamed: false });
      expect(await treeOf(hub, [parent, child])).toMatchObject({
        verdict: 'invalid',
        failures: [{ class: MISMATCH[0], chainKey: child.chainKey, position: 1 }],
      });
    });

    it('its parent is not in the dump', async () => {
      const hub = await TestHub.start();
      const [, child] = await family(hub);
      hub.pass(TWO_HOURS);
      expect(await verifySignedDump(hub, [child])).toMatchObject({
        verdict: 'cannot_tell',
        checks: { completeness: { result: 'skipped_no_input' } },
      });
    });

    it('its parent lost entries, as a platform key acknowledged: nothing is asked of it', async () => {
      const hub = await TestHub.start();
      const [parent, child] = await family(hub);
      const lost = parent.entries.pop()!;
      parent.statements.pop();
      await hub.platformEntry('REWIND_ACKNOWLEDGED', {
        chainKey: parent.chainKey,
        lostRange: { from: 2, to: 2 },
        lostHead: toHex(lost.hash),
        checkpoint: 'a'.repeat(64),
        reason: null,
      });
      hub.pass(TWO_HOURS);
      expect(await verifySignedDump(hub, [parent, child])).toMatchObject({ verdict: 'valid' });
    });

    it('there is no such chain', async () => {
      const hub = await TestHub.start();
      const [parent] = await family(hub);
      expect(await verifySignedDump(hub, [parent])).toMatchObject({
        verdict: 'cannot_tell',
        checks: { completeness: { result: 'skipped_no_input' } },
      });
    });

    it('nothing is asked of a chain that was lost, as a platform key acknowledged', async () => {
      const hub = await TestHub.start();
      const [parent, child] = await family(hub);
      await hub.platformEntry('REWIND_ACKNOWLEDGED', {
        chainKey: child.chainKey,
        lostRange: { from: 1, to: 1 },
        lostHead: toHex(child.entries[0]!.hash),
        checkpoint: 'a'.repeat(64),
        reason: null,
      });
      expect(await verifySignedDump(hub, [parent])).toMatchObject({ verdict: 'valid' });
    });
  },
);
