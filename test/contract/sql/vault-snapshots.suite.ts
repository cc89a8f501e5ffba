import { describe, expect, it } from 'vitest';
import { schemaChain } from '../../../domain/vault/chain-key.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type { OrgReadsCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import type { VaultSnapshot } from '../../../domain/vault/vault-snapshot.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import {
  at,
  bytes,
  entryAfter,
  sampleCheckpoint,
  sampleOrg,
  SIGNING_KEY,
  uuid,
} from './samples.ts';
import { flat, useDatabase } from './suite.ts';

// Contract of domain/vault/vault-snapshot.port.ts
// Contract of domain/transparency/vault-snapshots.port.ts

const placesIn = async (snapshot: VaultSnapshot): Promise<string[]> =>
  (await flat(snapshot.entries())).map(({ chainKey, position }) => `${chainKey} ${position}`);

export const vaultSnapshotsSuite = (kind: DatabaseKind): void => {
  describe(`snapshots of the vault on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const write = (entries: readonly ChainEntry[]): Promise<void> =>
      database().adapter.unitOfWork.transaction(async ({ chains }) => {
        for (const entry of entries) {
          await chains.lockHead(entry.chainKey);
          await chains.append(entry);
        }
      });
    /** A chain of so many entries. */
    const chain = async (chainKey: string, length: number): Promise<ChainEntry[]> => {
      const entries: ChainEntry[] = [];
      for (let count = 0; count < length; count++)
        entries.push(entryAfter(chainKey, entries.at(-1) ?? null));
      await write(entries);
      return entries;
    };

    it('give every entry in order of chain and position, over many pages', async () => {
      const long = await chain(schemaChain(uuid()), 700);
      const short = uuid();
      await chain(short, 2);
      await write(Array.from({ length: 600 }, () => entryAfter(uuid(), null)));
      await database().adapter.vaultSnapshots.take(async (snapshot) => {
        const entries = await flat(snapshot.entries());
        expect(entries).toHaveLength(1302);
        const places = entries.map(({ chainKey, position }) => [chainKey, position] as const);
        const sorted = places.toSorted(([a, m], [b, n]) => (a < b ? -1 : a > b ? 1 : m - n));
        expect(places).toEqual(sorted);
        expect(entries.filter(({ chainKey }) => chainKey === long[0]!.chainKey)).toEqual(long);
      });
    });

    it('are of one moment, whatever is written meanwhile', async () => {
      const chainKey = uuid();
      const [first] = await chain(chainKey, 1);
      const { unitOfWork, vaultSnapshots } = database().adapter;
      await unitOfWork.transaction(async ({ checkpoints }) => {
        await checkpoints.insert({ ...sampleCheckpoint(chainKey, 0), position: 1 });
      });
      await vaultSnapshots.take(async (snapshot) => {
        await write([entryAfter(chainKey, first!)]);
        await unitOfWork.transaction(({ checkpoints }) =>
          checkpoints.insert({ ...sampleCheckpoint(chainKey, 1), position: 2 }),
        );
        const places = await placesIn(snapshot);
        expect(places).toContain(`${chainKey} 1`);
        expect(places).not.toContain(`${chainKey} 2`);
        expect((await flat(snapshot.checkpoints())).map(({ logIndex }) => logIndex)).toEqual([0]);
        expect([...(await snapshot.coveredPositions([chainKey, uuid()]))]).toEqual([[chainKey, 1]]);
      });
      await vaultSnapshots.take(async (snapshot) => {
        expect(await placesIn(snapshot)).toContain(`${chainKey} 2`);
        expect([...(await snapshot.coveredPositions([chainKey]))]).toEqual([[chainKey, 2]]);
        expect(await snapshot.coveredPositions([])).toEqual(new Map());
      });
    });

    it('hold the keys and their statements', async () => {
      const { reads, vaultSnapshots } = database().adapter;
      await vaultSnapshots.take(async (snapshot) => {
        expect(await snapshot.keys()).toEqual(await reads.vaultKeys.keys());
        expect(await snapshot.statements()).toEqual(await reads.vaultKeys.statements());
      });
      expect(await reads.vaultKeys.keys()).not.toEqual([]);
    });

    it('give the logs of reads in order of org, index and size, over many pages', async () => {
      const { unitOfWork, vaultSnapshots } = database().adapter;
      const orgs = [sampleOrg(), sampleOrg()];
      const read = (orgId: string, leafIndex: number): OrgRead => ({
        orgId,
        leafIndex,
        signingKeyId: SIGNING_KEY,
        leafHash: bytes(`leaf ${leafIndex}`),
        coseSign1: bytes(`cose ${leafIndex}`),
        createdAt: at(leafIndex),
      });
      const checkpoint = (orgId: string, treeSize: number): OrgReadsCheckpoint => ({
        id: uuid(),
        orgId,
        treeSize,
        rootHash: bytes(`root ${treeSize}`),
        signingKeyId: SIGNING_KEY,
        createdAt: at(treeSize),
        coseSign1: bytes(`checkpoint ${treeSize}`),
      });
      const signed = checkpoint(orgs[0]!.id, 2);
      const cosignature = {
        checkpointId: signed.id,
        witnessKeyId: uuid(),
        signature: bytes('witness'),
        createdAt: at(9),
      };
      await unitOfWork.transaction(async (stores) => {
        for (const org of orgs) {
          await stores.orgs.insert(org);
          for (let leaf = 0; leaf < 600; leaf++) await stores.orgReads.insert(read(org.id, leaf));
          for (let size = 3; size < 560; size++)
            await stores.orgReads.insertCheckpoint(checkpoint(org.id, size));
        }
        await stores.orgReads.insertCheckpoint(signed);
      });
      await unitOfWork.transaction(({ orgReads }) => orgReads.insertCosignature(cosignature));
      await vaultSnapshots.take(async (_vault, reads) => {
        await unitOfWork.transaction(({ orgReads }) => orgReads.insert(read(orgs[1]!.id, 600)));
        const extents = await flat(reads.extents(SIGNING_KEY));
        const ids = orgs.map(({ id }) => id).toSorted();
        expect(extents.map(({ orgId }) => orgId).filter((id) => ids.includes(id))).toEqual(ids);
        for (const { id } of orgs) {
          const leaves = await flat(reads.leaves(id));
          expect(leaves.map(({ leafIndex }) => leafIndex)).toEqual([...Array(600).keys()]);
          const sizes = (await flat(reads.checkpoints(id))).map(({ treeSize }) => treeSize);
          expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
          expect(new Set(sizes).size).toBe(id === signed.orgId ? 558 : 557);
        }
        const [first, second] = await flat(reads.checkpoints(signed.orgId));
        expect([first, second?.cosignature]).toEqual([{ ...signed, cosignature }, null]);
      });
    });

    it('end where the work fails, and another one can be taken', async () => {
      const { vaultSnapshots } = database().adapter;
      for (let count = 0; count < 15; count++)
        await expect(
          vaultSnapshots.take(() => Promise.reject(new Error('the disk is full'))),
        ).rejects.toThrow('the disk is full');
      expect(await vaultSnapshots.take((snapshot) => placesIn(snapshot))).not.toEqual([]);
    });
  });
};
