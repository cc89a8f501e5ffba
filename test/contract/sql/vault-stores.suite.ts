import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { CheckpointStore } from '../../../domain/vault/vault-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, sampleCheckpoint, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/vault/sealed-key-store.port.ts
// Contract of domain/vault/vault-store.port.ts

const vaultKey = (keyId: string, changes: Partial<VaultKey> = {}): VaultKey => ({
  keyId,
  algorithm: 'Ed25519',
  publicKey: bytes(keyId),
  status: 'active',
  activatedAt: at(0),
  retiredAt: null,
  ...changes,
});

const statement = (keyId: string, chainPosition: number): KeyStatement => ({
  keyId,
  statement: 'activated',
  chainPosition,
  coseSign1: bytes(`cose ${keyId}`),
  createdAt: at(0),
});

/** The index of the next leaf; the log is locked. */
const nextIndex = async (checkpoints: CheckpointStore): Promise<number> =>
  ((await checkpoints.lockLog())?.logIndex ?? -1) + 1;

export const vaultStoresSuite = (kind: DatabaseKind): void => {
  describe(`vault stores on ${kind.name}`, () => {
    const database = useDatabase(kind, { signingKey: false });
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;

    it('knows the hub once it is written, and lets nobody write a second one', async () => {
      const hub = { hubId: uuid(), predicateBase: 'https://service.invalid' };
      expect(await reads().vaultKeys.hub()).toBeNull();
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.vaultKeys.hub()).toBeNull();
        await stores.vaultKeys.insertHub(hub);
        expect(await stores.vaultKeys.hub()).toEqual(hub);
      });
      await expect(
        unitOfWork().transaction((stores) => stores.vaultKeys.insertHub({ ...hub, hubId: uuid() })),
      ).rejects.toBeInstanceOf(DuplicateError);
      expect(await reads().vaultKeys.hub()).toEqual(hub);
    });

    it('lists keys newest first, and statements in order of their chain position', async () => {
      const older = vaultKey('a'.repeat(32), {
        status: 'retired',
        retiredAt: at(9),
        algorithm: 'ES256',
      });
      const newer = vaultKey('b'.repeat(32), { activatedAt: at(5) });
      const statements = [statement(older.keyId, 1), statement(newer.keyId, 7)];
      await unitOfWork().transaction(async (stores) => {
        await stores.vaultKeys.insertKey(newer, statements[1]!);
        await stores.vaultKeys.insertKey(older, statements[0]!);
        expect(await stores.vaultKeys.keys()).toEqual([newer, older]);
      });
      expect(await reads().vaultKeys.keys()).toEqual([newer, older]);
      expect(await reads().vaultKeys.statements()).toEqual(statements);
      await expect(
        unitOfWork().transaction((stores) =>
          stores.vaultKeys.insertKey(newer, statement('c'.repeat(32), 9)),
        ),
      ).rejects.toMatchObject({ constraint: 'vault_signing_keys_pk' });
    });

    it('lets nobody change or delete a key statement or a checkpoint, by the database itself', async () => {
      await unitOfWork().transaction(async (stores) => {
        await stores.vaultKeys.insertKey(vaultKey('d'.repeat(32)), statement('d'.repeat(32), 99));
        await stores.checkpoints.insert({
          ...sampleCheckpoint('chain', 0),
          signingKeyId: 'd'.repeat(32),
        });
      });
      for (const table of ['vault_key_statements', 'vault_checkpoints']) {
        await expect(database().raw(`UPDATE ${table} SET created_at = 0`)).rejects.toThrow(
          'append-only',
        );
        await expect(database().raw(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
        await expect(
          database().raw(`REPLACE INTO ${table} SELECT * FROM (SELECT * FROM ${table}) old`),
        ).rejects.toThrow('append-only');
      }
    });

    it('keeps the encrypted private keys, in a unit of work and by itself', async () => {
      const sealed = (n: number) => ({
        keyId: `${n}`.repeat(32),
        algorithm: 'Ed25519' as const,
        publicKey: bytes(`p${n}`),
        encryptedPrivateKey: bytes(`e${n}`),
        createdAt: at(n),
      });
      await unitOfWork().transaction((stores) => stores.sealedKeys.insert(sealed(2)));
      await database().adapter.sealedKeys.insert(sealed(1));
      const both = [sealed(1), sealed(2)];
      expect(await database().adapter.sealedKeys.load()).toEqual(both);
      expect(await unitOfWork().transaction((stores) => stores.sealedKeys.load())).toEqual(both);
      await expect(database().adapter.sealedKeys.insert(sealed(1))).rejects.toBeInstanceOf(
        DuplicateError,
      );
    });
  });

  describe(`the checkpoint log on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('numbers checkpoints from 0 without a gap, from two processes at once, also where some are rolled back', async () => {
      const other = database().another();
      const chains = ['one', 'two'];
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) =>
          (i % 2 ? other : database().adapter).unitOfWork.transaction(async (stores) => {
            const checkpoint = sampleCheckpoint(
              chains[i % 2]!,
              await nextIndex(stores.checkpoints),
            );
            await stores.checkpoints.insert(checkpoint);
            if (i % 5 === 0) throw new Error('rolled back');
            return checkpoint;
          }),
        ),
      );
      const written = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value] : [],
      );
      expect(written).toHaveLength(32);
      const stored = (
        await Promise.all(
          chains.map((chain) => database().adapter.reads.checkpoints.ofChain(chain)),
        )
      ).flat();
      const byIndex = (a: { logIndex: number }, b: { logIndex: number }): number =>
        a.logIndex - b.logIndex;
      expect(stored.sort(byIndex)).toEqual(written.sort(byIndex));
      expect(stored.map(({ logIndex }) => logIndex)).toEqual(
        Array.from({ length: 32 }, (_, i) => i),
      );
    });

    it('keeps signed bytes in less space and gives them back byte for byte, and so those that were stored before', async () => {
      const chain = uuid();
      const statement = `{"_type":"https://in-toto.io/Statement/v1","predicate":{"at":"2026-11-23T01:36:11.944Z","chainKey":"${chain}","chainKind":"record"},"predicateType":"https://notary.example/predicates/vault-checkpoint/v1"}`;
      const signed = Uint8Array.from([0xd2, ...Buffer.from(statement), ...randomBytes(64)]);
      const before = Uint8Array.from([0xd2, ...Buffer.from('as it was stored then')]);
      await database().adapter.unitOfWork.transaction(async ({ checkpoints }) => {
        const next = await nextIndex(checkpoints);
        await checkpoints.insert({ ...sampleCheckpoint(chain, next), coseSign1: signed });
        await checkpoints.insert({ ...sampleCheckpoint(chain, next + 1), coseSign1: before });
      });
      const length = `SELECT LENGTH(cose_sign1) AS n FROM vault_checkpoints WHERE chain_key = '${chain}' ORDER BY log_index`;
      const [first] = await database().raw(length);
      expect(Number(first?.['n'])).toBeLessThan(signed.length * 0.75);
      await database().raw('DROP TRIGGER vault_checkpoints_no_update');
      await database().raw(
        `UPDATE vault_checkpoints SET cose_sign1 = x'${Buffer.from(before).toString('hex')}' WHERE chain_key = '${chain}' AND LENGTH(cose_sign1) < 60`,
      );
      const read = await database().adapter.reads.checkpoints.ofChain(chain);
      expect(
        read.map(({ coseSign1 }) => Buffer.from(coseSign1).toString('hex')).toSorted(),
      ).toEqual([signed, before].map((one) => Buffer.from(one).toString('hex')).toSorted());
    });

    it('finds the newest checkpoint of a chain, as the unit of work sees it', async () => {
      const chains = [uuid(), uuid()] as const;
      await database().adapter.unitOfWork.transaction(async ({ checkpoints }) => {
        expect(await checkpoints.newestOf(chains[0])).toBeNull();
        const made: Checkpoint[] = [];
        for (const chain of [chains[0], chains[0], chains[1]]) {
          const checkpoint = sampleCheckpoint(chain, await nextIndex(checkpoints));
          await checkpoints.insert(checkpoint);
          made.push(checkpoint);
        }
        expect(await checkpoints.newestOf(chains[0])).toEqual(made[1]);
        expect(await checkpoints.newestOf(chains[1])).toEqual(made[2]);
        const { signingKeyId } = made[1]!;
        expect(await checkpoints.newestBy(chains[0], signingKeyId)).toEqual(made[1]);
        expect(await checkpoints.newestBy(chains[0], 'f'.repeat(64))).toBeNull();
      });
    });

    it('lets nobody take an index twice', async () => {
      const again = database().adapter.unitOfWork.transaction(async (stores) =>
        stores.checkpoints.insert(sampleCheckpoint('x', (await nextIndex(stores.checkpoints)) - 1)),
      );
      await expect(again).rejects.toMatchObject({ constraint: 'vault_checkpoints_pk' });
    });

    it('gives leaves from an index on, in the order of the log', async () => {
      const { checkpoints } = database().adapter.reads;
      const all = await checkpoints.from(0, 1000);
      expect(all.map(({ logIndex }) => logIndex)).toEqual(all.map((_leaf, at) => at));
      expect(await checkpoints.from(3, 2)).toEqual(all.slice(3, 5));
      expect(await checkpoints.from(all.length, 2)).toEqual([]);
    });
  });
};
