import { describe, expect, it } from 'vitest';
import type { AnchoredCheckpoint } from '../../../domain/vault/anchor-log.port.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import type { RewindFinding } from '../../../domain/vault/rewind.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, sampleCheckpoint, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/vault/anchor-log.port.ts
// Contract of domain/vault/rewind-store.port.ts

const [A, B] = [uuid(), uuid()];

const anchored = (logIndex: number, chainKey: string): AnchoredCheckpoint => ({
  logIndex,
  chainKey,
  position: 1,
  objectKey: `anchors/${chainKey}/000000000001-${logIndex}.cose`,
  anchoredAt: at(logIndex),
});

const finding = (chainKey: string, changes: Partial<RewindFinding> = {}): RewindFinding => ({
  chainKey,
  finding: 'rewound',
  localPosition: 1,
  localHash: bytes('local'),
  anchoredPosition: 2,
  anchoredHash: bytes('anchored'),
  checkpointHash: bytes(`checkpoint ${chainKey}`),
  isKeyLost: false,
  detectedAt: at(0),
  acknowledgedAt: null,
  ...changes,
});

export const anchorsSuite = (kind: DatabaseKind): void => {
  describe(`anchors on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('pending are the newest checkpoints of chains that are not recorded, without the platform chain', async () => {
      const { anchorLog, unitOfWork } = database().adapter;
      const chains = [A, B, PLATFORM_CHAIN, A];
      await unitOfWork.transaction(async ({ checkpoints }) => {
        for (const [index, chainKey] of chains.entries())
          await checkpoints.insert(sampleCheckpoint(chainKey, index));
      });
      const pending = async (limit = 10) =>
        (await anchorLog.pending(limit)).map(({ logIndex }) => logIndex);
      expect(await pending()).toEqual([3, 1]);
      expect(await pending(1)).toEqual([3]);
      await anchorLog.record([anchored(3, A), anchored(2, PLATFORM_CHAIN)]);
      expect(await pending()).toEqual([1]);
    });

    it('what is recorded stays as it was, is found by its chain, and is sampled once', async () => {
      const { anchorLog } = database().adapter;
      await anchorLog.record([{ ...anchored(3, A), objectKey: 'another' }, anchored(0, A)]);
      expect(await anchorLog.ofChain(A, 10)).toEqual([anchored(3, A), anchored(0, A)]);
      expect(await anchorLog.ofChain(A, 1)).toEqual([anchored(3, A)]);
      const sample = await anchorLog.sample(20);
      expect(sample.length).toBeGreaterThan(0);
      expect(new Set(sample.map(({ logIndex }) => logIndex)).size).toBe(sample.length);
    });

    it('the state of the sweeps is the newest that was saved', async () => {
      const { anchorLog } = database().adapter;
      expect(await anchorLog.state()).toMatchObject({ lastSweepAt: null, lastVerify: null });
      const state = {
        lastSweepAt: at(1),
        lastSuccessAt: null,
        failures: 1,
        pending: 7,
        lastVerify: { at: at(1), checked: 20, mismatches: 1 },
      };
      await anchorLog.save({ ...state, failures: 0 });
      await anchorLog.save(state);
      expect(await anchorLog.state()).toEqual(state);
    });

    it('a finding is added once, is open until it is acknowledged, and stays listed', async () => {
      const { unitOfWork, reads } = database().adapter;
      const [one, missing] = [
        finding(A),
        finding(B, { finding: 'missing_locally', localHash: null, detectedAt: at(5) }),
      ];
      const add = (added: RewindFinding) =>
        unitOfWork.transaction((stores) => stores.rewinds.add(added));
      expect(await add(one)).toBe(true);
      expect(await add({ ...one, localPosition: 9 })).toBe(false);
      expect(await add(missing)).toBe(true);
      expect(await reads.rewinds.list(10)).toEqual([missing, one]);
      await unitOfWork.transaction((stores) => stores.rewinds.acknowledge(one, at(9)));
      expect(await reads.rewinds.open()).toEqual([missing]);
      expect(await reads.rewinds.list(10)).toEqual([missing, { ...one, acknowledgedAt: at(9) }]);
    });
  });
};
