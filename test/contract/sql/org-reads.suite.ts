import { describe, expect, it } from 'vitest';
import { DuplicateError, RetiredKeyError } from '../../../application/ports/unit-of-work.port.ts';
import type { Witness } from '../../../domain/identity/witness.ts';
import type { OrgRead } from '../../../domain/transparency/org-read.ts';
import type { OrgReadsCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import type { DatabaseKind, TestDatabase } from '../../support/databases/databases.ts';
import { at, bytes, sampleOrg, SIGNING_KEY, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/transparency/org-reads-store.port.ts
// Contract of domain/identity/witness-store.port.ts

const ALL = { limit: 10, after: null };

const read = (orgId: string, leafIndex: number, changes: Partial<OrgRead> = {}): OrgRead => ({
  orgId,
  leafIndex,
  signingKeyId: SIGNING_KEY,
  leafHash: bytes(`leaf ${leafIndex}`),
  coseSign1: bytes(`cose ${leafIndex}`),
  createdAt: at(leafIndex),
  ...changes,
});

const checkpoint = (orgId: string, treeSize: number): OrgReadsCheckpoint => ({
  id: uuid(),
  orgId,
  treeSize,
  rootHash: bytes(`root ${treeSize}`),
  signingKeyId: SIGNING_KEY,
  createdAt: at(1000 + treeSize),
  coseSign1: bytes(`checkpoint ${treeSize}`),
});

const withOrg = async ({ adapter }: TestDatabase): Promise<string> => {
  const org = sampleOrg();
  await adapter.unitOfWork.transaction(({ orgs }) => orgs.insert(org));
  return org.id;
};

export const orgReadsSuite = (kind: DatabaseKind): void => {
  describe(`logs of reads on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const logs = () => database().adapter.reads.orgReadsLogs;
    const insert = (...reads: readonly OrgRead[]): Promise<void> =>
      unitOfWork().transaction(async ({ orgReads }) => {
        for (const one of reads) await orgReads.insert(one);
      });

    it('keeps leaves by their index, each once', async () => {
      const orgId = await withOrg(database());
      expect(await logs().newest(orgId)).toBeNull();
      await insert(read(orgId, 0), read(orgId, 1), read(orgId, 2));
      expect(await logs().newest(orgId)).toEqual(read(orgId, 2));
      expect(await logs().from(orgId, 1, 1)).toEqual([read(orgId, 1)]);
      await expect(insert(read(orgId, 2))).rejects.toThrow(DuplicateError);
      expect(await logs().from(orgId, 0, 10)).toHaveLength(3);
    });

    it('takes nothing that another key signed than the active one', async () => {
      const orgId = await withOrg(database());
      const signingKeyId = 'cd'.repeat(16);
      await expect(insert(read(orgId, 0, { signingKeyId }))).rejects.toThrow(RetiredKeyError);
      await expect(
        unitOfWork().transaction(({ orgReads }) =>
          orgReads.insertCheckpoint({ ...checkpoint(orgId, 1), signingKeyId }),
        ),
      ).rejects.toThrow(RetiredKeyError);
    });

    it('changes and deletes no leaf, checkpoint or cosignature', async () => {
      const orgId = await withOrg(database());
      await insert(read(orgId, 0));
      const one = checkpoint(orgId, 1);
      await unitOfWork().transaction(async ({ orgReads }) => {
        await orgReads.insertCheckpoint(one);
        await orgReads.insertCosignature({
          checkpointId: one.id,
          witnessKeyId: uuid(),
          signature: bytes('s'),
          createdAt: at(0),
        });
      });
      for (const table of [
        'org_admin_reads',
        'org_admin_reads_checkpoints',
        'org_reads_cosignatures',
      ]) {
        await expect(database().raw(`UPDATE ${table} SET created_at = 1`)).rejects.toThrow(table);
        await expect(database().raw(`DELETE FROM ${table}`)).rejects.toThrow(table);
      }
    });

    it('whoever locks a log has its turn before others insert', async () => {
      const orgId = await withOrg(database());
      await insert(read(orgId, 0));
      let other: Promise<void> | undefined;
      await unitOfWork().transaction(async ({ orgReads }) => {
        await orgReads.lock(orgId);
        other ??= insert(read(orgId, 1, { createdAt: at(99) }));
        other.catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect((await orgReads.newest(orgId))?.leafIndex).toBe(0);
        await orgReads.insert(read(orgId, 1));
      });
      await expect(other).rejects.toThrow(DuplicateError);
      expect(await logs().newest(orgId)).toEqual(read(orgId, 1));
    });

    it('says how far each log goes, and its checkpoints', async () => {
      const [grown, covered] = [await withOrg(database()), await withOrg(database())];
      await withOrg(database());
      await insert(read(grown, 0), read(grown, 1), read(covered, 0), read(covered, 1));
      await unitOfWork().transaction(async ({ orgReads }) => {
        await orgReads.insertCheckpoint(checkpoint(covered, 1));
        await orgReads.insertCheckpoint(checkpoint(covered, 2));
      });
      const all = await logs().extents(null, 500, SIGNING_KEY);
      const of = (orgId: string) => all.find((extent) => extent.orgId === orgId);
      expect(of(grown)).toEqual({
        orgId: grown,
        leaves: 2,
        covered: 0,
        coveredByKey: 0,
        since: at(0),
      });
      expect(of(covered)).toMatchObject({
        leaves: 2,
        covered: 2,
        coveredByKey: 2,
        since: at(1002),
      });
      const other = await logs().extents(null, 500, 'cd'.repeat(16));
      expect(other.find(({ orgId }) => orgId === covered)).toMatchObject({
        covered: 2,
        coveredByKey: 0,
      });
      const [first] = all;
      expect(await logs().extents(null, 1, SIGNING_KEY)).toEqual([first]);
      expect(await logs().extents(first!.orgId, 500, SIGNING_KEY)).toEqual(all.slice(1));
    });

    it('finds checkpoints by org, the largest, and with their one cosignature', async () => {
      const orgId = await withOrg(database());
      const [small, large] = [checkpoint(orgId, 1), checkpoint(orgId, 5)];
      await unitOfWork().transaction(async ({ orgReads }) => {
        await orgReads.insertCheckpoint(large);
        await orgReads.insertCheckpoint(small);
      });
      expect(await logs().newestCheckpoint(orgId, SIGNING_KEY)).toEqual(large);
      expect(await logs().newestCheckpoint(orgId, 'cd'.repeat(16))).toEqual(large);
      expect(await logs().newestCheckpoint(uuid(), SIGNING_KEY)).toBeNull();
      const cosignature = {
        checkpointId: small.id,
        witnessKeyId: uuid(),
        signature: bytes('signature'),
        createdAt: at(7),
      };
      const cosign = (): Promise<void> =>
        unitOfWork().transaction(({ orgReads }) => orgReads.insertCosignature(cosignature));
      await cosign();
      await expect(cosign()).rejects.toThrow(DuplicateError);
      expect(await logs().checkpoint(small.id)).toEqual({ ...small, cosignature });
      expect(await logs().checkpoint(uuid())).toBeNull();
      expect((await logs().checkpoints({ orgId }, ALL)).rows).toEqual([
        { ...large, cosignature: null },
        { ...small, cosignature },
      ]);
      await expect(
        unitOfWork().transaction(({ orgReads }) =>
          orgReads.insertCheckpoint({ ...small, id: uuid() }),
        ),
      ).rejects.toThrow(DuplicateError);
    });

    it('keeps witnesses until they are removed', async () => {
      const witness: Witness = {
        witnessKeyId: uuid(),
        name: 'Auditors',
        key: { curve: 'Ed25519', raw: bytes('key') },
        createdAt: at(0),
        version: 1,
      };
      const { witnesses } = database().adapter.reads;
      await unitOfWork().transaction((stores) => stores.witnesses.insert(witness));
      expect(await witnesses.find(witness.witnessKeyId)).toEqual(witness);
      expect((await witnesses.list(ALL)).rows).toEqual([witness]);
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.witnesses.lock(witness.witnessKeyId)).toEqual(witness);
        expect(await stores.witnesses.lock(uuid())).toBeNull();
        await stores.witnesses.delete(witness.witnessKeyId);
      });
      expect(await witnesses.find(witness.witnessKeyId)).toBeNull();
    });
  });
};
