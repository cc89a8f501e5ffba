import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { bytes, sampleCheckpoint, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/vault/timestamp-store.port.ts

export const timestampsSuite = (kind: DatabaseKind): void => {
  describe(`time stamps of checkpoints on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('stand once beside their checkpoint, for good; the newest ones without are found', async () => {
      const { unitOfWork, reads, vaultSnapshots } = database().adapter;
      const [chain, other] = [uuid(), uuid()];
      const leaves = Array.from({ length: 6 }, (_, index) =>
        sampleCheckpoint(index === 4 ? other : chain, index),
      );
      expect(await reads.timestamps.missing(chain, 8)).toEqual([]);
      await unitOfWork.transaction(async ({ checkpoints }) => {
        for (const leaf of leaves) await checkpoints.insert(leaf);
      });
      const missing = async (limit: number): Promise<number[]> =>
        (await reads.timestamps.missing(chain, limit)).map(({ logIndex }) => logIndex);
      expect(await missing(8)).toEqual([5, 3, 2, 1, 0]);
      expect(await missing(2)).toEqual([5, 3]);

      const stamp = (index: number, token: string): Promise<void> =>
        unitOfWork.transaction((stores) => stores.timestamps.insert(index, bytes(token)));
      await stamp(2, 'token');
      expect(await reads.timestamps.of(2)).toEqual(bytes('token'));
      expect(await reads.timestamps.of(3)).toBeNull();
      expect(await missing(8)).toEqual([5, 3]);
      expect(await missing(1)).toEqual([5]);
      await stamp(5, 'newest');
      expect(await missing(8)).toEqual([]);

      await expect(stamp(5, 'again')).rejects.toBeInstanceOf(DuplicateError);
      await expect(
        database().raw('UPDATE checkpoint_timestamps SET log_index = 9 WHERE log_index = 5'),
      ).rejects.toThrow('append-only');
      await expect(database().raw('DELETE FROM checkpoint_timestamps')).rejects.toThrow(
        'append-only',
      );
      await vaultSnapshots.take(async (snapshot) => {
        const tokens: (Uint8Array | null)[] = [];
        for await (const page of snapshot.checkpoints())
          tokens.push(...page.map(({ timestampToken }) => timestampToken));
        expect(tokens).toEqual([null, null, bytes('token'), null, null, bytes('newest')]);
      });
    });
  });
};
