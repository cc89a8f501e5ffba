import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { HubKey } from '../../../domain/federation/hub-key.ts';
import type { Peer, PendingPeer } from '../../../domain/federation/peer.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/federation/peer-store.port.ts
// Contract of domain/federation/hub-key-store.port.ts

const hash = (): string => (uuid() + uuid()).replaceAll('-', '');
const key = (): HubKey['publicKey'] => ({
  curve: 'Ed25519',
  raw: Uint8Array.from(Buffer.from(hash(), 'hex')),
});

const claim = () => ({
  hubId: uuid(),
  baseUrl: 'https://hub.example',
  publicKey: key(),
  publicKeyThumbprint: hash(),
  vaultRoot: hash(),
});

const peer = (changes: Partial<Peer> = {}): Peer => ({
  id: uuid(),
  ...claim(),
  name: null,
  status: 'REGISTERED',
  ownKeyThumbprint: hash(),
  greetedAt: null,
  createdAt: at(1),
  updatedAt: at(1),
  generation: 1,
  version: 1,
  handshakeDueAt: at(1),
  handshakeAttempts: 0,
  ...changes,
});

const pending = (changes: Partial<PendingPeer> = {}): PendingPeer => ({
  id: uuid(),
  ...claim(),
  address: 'address:127.0.0.1',
  createdAt: at(2),
  expiresAt: at(1_000),
  ...changes,
});

export const peersSuite = (kind: DatabaseKind): void => {
  describe(`peers on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads.peers;
    const insert = (row: Peer): Promise<void> =>
      unitOfWork().transaction(({ peers }) => peers.insert(row));

    it('finds a peer by its hub, and null where there is none', async () => {
      const row = peer();
      await insert(row);
      expect(await reads().find(row.hubId)).toEqual(row);
      expect(await reads().find(uuid())).toBeNull();
      expect(await unitOfWork().transaction(({ peers }) => peers.lock(row.hubId))).toEqual(row);
      expect(await unitOfWork().transaction(({ peers }) => peers.lock(uuid()))).toBeNull();
    });

    it('has one row for a hub, and one hub for a key', async () => {
      const row = peer();
      await insert(row);
      await expect(insert(peer({ hubId: row.hubId }))).rejects.toThrow(DuplicateError);
      const { publicKeyThumbprint } = row;
      await expect(insert(peer({ publicKeyThumbprint }))).rejects.toThrow(DuplicateError);
      const other = peer();
      await insert(other);
      await expect(
        unitOfWork().transaction(({ peers }) => peers.update({ ...other, publicKeyThumbprint })),
      ).rejects.toThrow(DuplicateError);
    });

    it('lists all, newest first', async () => {
      const [older, newer] = [peer({ createdAt: at(50) }), peer({ createdAt: at(60) })];
      await insert(older);
      await insert(newer);
      const found = (await reads().all()).filter(({ id }) => [older.id, newer.id].includes(id));
      expect(found).toEqual([newer, older]);
      const within = await unitOfWork().transaction(({ peers }) => peers.all());
      expect(within.map(({ id }) => id)).toEqual((await reads().all()).map(({ id }) => id));
    });

    it('changes what an act changes, and keeps when it came', async () => {
      const row = peer();
      await insert(row);
      const changed: Peer = {
        ...row,
        baseUrl: 'https://moved.example',
        publicKey: key(),
        publicKeyThumbprint: hash(),
        status: 'ACTIVE',
        ownKeyThumbprint: hash(),
        greetedAt: at(5),
        updatedAt: at(6),
        generation: 2,
        handshakeDueAt: null,
        handshakeAttempts: 3,
      };
      await unitOfWork().transaction(({ peers }) => peers.update(changed));
      expect(await reads().find(row.hubId)).toEqual(changed);
      await expect(unitOfWork().transaction(({ peers }) => peers.update(peer()))).rejects.toThrow(
        'there is no peer',
      );
    });

    it('notes when the next handshake goes, and under which name, without another MAC', async () => {
      const row = peer({ handshakeDueAt: null });
      await insert(row);
      const noted = { name: 'Example', handshakeDueAt: at(100), handshakeAttempts: 2 };
      await unitOfWork().transaction(({ peers }) => peers.note(row.hubId, noted));
      expect(await reads().find(row.hubId)).toEqual({ ...row, ...noted });
      await unitOfWork().transaction(({ peers }) => peers.note(row.hubId, {}));
      await unitOfWork().transaction(({ peers }) =>
        peers.note(row.hubId, { handshakeDueAt: null }),
      );
      expect((await reads().find(row.hubId))?.handshakeDueAt).toBeNull();
    });

    it('says whether a handshake is due', async () => {
      await unitOfWork().transaction(async ({ peers }) => {
        for (const { hubId } of await peers.all())
          await peers.note(hubId, { handshakeDueAt: null });
      });
      expect(await reads().hasHandshakeDue(at(10_000))).toBe(false);
      await insert(peer({ handshakeDueAt: at(200) }));
      expect(await reads().hasHandshakeDue(at(199))).toBe(false);
      expect(await reads().hasHandshakeDue(at(200))).toBe(true);
    });

    it('says that a handshake is due that was put off while the clock was three hours ahead', async () => {
      const added = peer({ handshakeDueAt: null });
      await insert(added);
      const note = (handshakeAttempts: number, handshakeDueAt: string) =>
        unitOfWork().transaction(async ({ peers }) => {
          for (const other of await peers.all())
            await peers.note(other.hubId, { handshakeDueAt: null });
          await peers.note(added.hubId, { handshakeAttempts, handshakeDueAt });
        });
      const hour = 3_600_000;
      await note(1, at(3 * hour));
      expect(await reads().hasHandshakeDue(at(0))).toBe(true);
      await note(0, at(24 * hour));
      expect(await reads().hasHandshakeDue(at(0))).toBe(false);
      await note(0, at(49 * hour));
      expect(await reads().hasHandshakeDue(at(0))).toBe(true);
    });

    it('keeps handshakes of strangers by hub and key, until they end', async () => {
      const [one, other] = [pending(), pending({ createdAt: at(3), expiresAt: at(500) })];
      await unitOfWork().transaction(async ({ peers }) => {
        await peers.insertPending(one);
        await peers.insertPending(other);
      });
      expect(await reads().pending(at(400))).toEqual([other, one]);
      expect(await reads().pending(at(500))).toEqual([one]);
      const again = { ...pending(), hubId: one.hubId };
      await unitOfWork().transaction(({ peers }) => peers.insertPending(again));
      await expect(
        unitOfWork().transaction(({ peers }) => peers.insertPending({ ...one, id: uuid() })),
      ).rejects.toThrow(DuplicateError);
      const left = await unitOfWork().transaction(({ peers }) => peers.lockPending(at(500)));
      expect(left.map(({ id }) => id).sort()).toEqual([one.id, again.id].sort());
      expect((await reads().pending(at(0))).map(({ id }) => id)).not.toContain(other.id);
      await unitOfWork().transaction(({ peers }) => peers.deletePending([one.id, again.id]));
      expect(await reads().pending(at(0))).toEqual([]);
    });

    it('takes a nonce once, and forgets it when nobody would take it any more', async () => {
      const [id, other] = [bytes(`nonce ${uuid()}`), bytes(`nonce ${uuid()}`)];
      const spend = (nonce: Uint8Array): Promise<void> =>
        unitOfWork().transaction(({ peers }) => peers.spendNonce(nonce, at(0)));
      await spend(id);
      await expect(spend(id)).rejects.toThrow(DuplicateError);
      await spend(other);
      const { housekeeping } = database().adapter;
      expect(await housekeeping.hasSpentNonces()).toBe(true);
      expect(await housekeeping.deleteSpentNonces()).toBe(2);
      await spend(id);
    });

    it('of two that spend one nonce at once, one fails', async () => {
      const id = bytes(`nonce ${uuid()}`);
      const both = await Promise.allSettled(
        [1, 2].map(() => unitOfWork().transaction(({ peers }) => peers.spendNonce(id, at(0)))),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('keeps the key statements of a hub, and replaces all of them', async () => {
      const first = {
        hubId: uuid(),
        vaultRoot: hash(),
        statements: [bytes('one'), bytes('two')],
        fetchedAt: at(1),
      };
      const kept = database().adapter.reads.peerKeyStatements;
      const put = (value: typeof first): Promise<void> =>
        unitOfWork().transaction(({ peerKeyStatements }) => peerKeyStatements.put(value));
      expect(await kept.find(first.hubId)).toBeNull();
      await put(first);
      expect(await kept.find(first.hubId)).toEqual(first);
      const second = { ...first, statements: [...first.statements, bytes('three')] };
      await put(second);
      expect(await kept.find(first.hubId)).toEqual(second);
      expect(await kept.former(first.hubId)).toEqual([]);
    });

    it('keeps those under another root as former ones, each root once', async () => {
      const [one, other] = [hash(), hash()];
      const hubId = uuid();
      const under = (vaultRoot: string, n: number) => ({
        hubId,
        vaultRoot,
        statements: [bytes(`${n}`)],
        fetchedAt: at(n),
      });
      const kept = database().adapter.reads.peerKeyStatements;
      for (const [n, root] of [one, other, one, other].entries())
        await unitOfWork().transaction(({ peerKeyStatements }) =>
          peerKeyStatements.put(under(root, n)),
        );
      expect(await kept.find(hubId)).toEqual(under(other, 3));
      const former = [...(await kept.former(hubId))];
      expect(former.map(({ vaultRoot }) => vaultRoot).sort()).toEqual([one, other].sort());
      expect(former).toContainEqual(under(one, 2));
      expect(former).toContainEqual(under(other, 1));
    });

    it('keeps hub keys, oldest first, and erases a private part', async () => {
      const made = (n: number): HubKey => ({
        id: uuid(),
        thumbprint: hash(),
        publicKey: key(),
        sealedPrivateKey: bytes(`sealed ${n}`),
        createdAt: at(n),
        retiredAt: null,
        version: 1,
      });
      const [older, newer] = [made(1), made(2)];
      await unitOfWork().transaction(async ({ hubKeys }) => {
        await hubKeys.insert(newer);
        await hubKeys.insert(older);
      });
      const hubKeys = database().adapter.reads.hubKeys;
      expect(await hubKeys.all()).toEqual([older, newer]);
      const retired = { ...older, sealedPrivateKey: null, retiredAt: at(3) };
      await unitOfWork().transaction(({ hubKeys: keys }) => keys.update(retired));
      expect(await unitOfWork().transaction(({ hubKeys: keys }) => keys.lockAll())).toEqual([
        retired,
        newer,
      ]);
      await expect(
        unitOfWork().transaction(({ hubKeys: keys }) => keys.update(made(4))),
      ).rejects.toThrow('there is no hub key');
    });
  });
};
