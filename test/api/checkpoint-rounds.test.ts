import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { RunningService } from '../../config/service.ts';
import { fromHex, toHex } from '../../domain/kernel/digest.ts';
import {
  foldPeaks,
  inclusionPath,
  isIncluded,
  leafHash,
} from '../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { openCheckpoint } from '../../domain/vault/checkpoint.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { GOAL, ok, type Body } from '../support/service/world.ts';

const logOf = async ({ container }: RunningService) =>
  container.get(TOKENS.checkpointReads).from(0, 10_000);

describe.each(quickDatabases())('a round of checkpoints on $name', (kind) => {
  const rig = new VaultRig(kind);

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const note = (service: RunningService, n: number): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: `note ${n}` },
      }),
    );

  it('covers every chain that grew, once, and ends with the platform chain, whose root covers all before it', () =>
    rig.run(async (service) => {
      const round = service.container.get(CheckpointRound);
      const before = await logOf(service);
      const notes = await Promise.all(Array.from({ length: 150 }, (_, n) => note(service, n)));
      const first = await round.run();
      const log = await logOf(service);
      const added = log.slice(before.length);
      expect(log.map(({ logIndex }) => logIndex)).toEqual(log.map((_leaf, at) => at));
      expect(first?.uncovered).toEqual([]);
      expect(new Set(added.map(({ chainKey }) => chainKey)).size).toBe(added.length);
      for (const { id } of notes) expect(added.some(({ chainKey }) => chainKey === id)).toBe(true);

      const closing = added.at(-1)!;
      expect(closing).toEqual(first?.closing);
      expect(closing.chainKey).toBe(PLATFORM_CHAIN);
      const said = await openCheckpoint(closing, service.container.get(Vault).keyOf);
      expect(said).toMatchObject({ treeSize: closing.logIndex });
      const trees = service.container.get(TOKENS.treeReads);
      for (const leaf of [added[0]!, added[77]!, added.at(-2)!]) {
        const path = await Promise.all(
          inclusionPath(leaf.logIndex, said!.treeSize!).map(async (ids) =>
            foldPeaks((await trees.hashes(CHECKPOINT_LOG, ids)).map((hash) => hash!)),
          ),
        );
        const hash = leafHash(leaf.coseSign1);
        const root = fromHex(said!.treeRoot!);
        expect(isIncluded(hash, leaf.logIndex, said!.treeSize!, path, root)).toBe(true);
        expect(isIncluded(leafHash(hash), leaf.logIndex, said!.treeSize!, path, root)).toBe(false);
      }

      const second = await round.run();
      expect(second).toMatchObject({ covered: 0, uncovered: [] });
      expect(second!.closing.logIndex).toBe(closing.logIndex + 1);
    }));

  it('two at once on two nodes leave one log without a gap', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        await Promise.all(
          [one, other].flatMap((service) => [
            ...Array.from({ length: 40 }, (_, n) => note(service, n)),
            service.container.get(CheckpointRound).run(),
            service.container.get(CheckpointRound).run(),
          ]),
        );
        await one.container.get(CheckpointRound).run();
        const log = await logOf(one);
        expect(log.map(({ logIndex }) => logIndex)).toEqual(log.map((_leaf, at) => at));
        await expect(other.container.get(CheckpointRound).run()).resolves.toMatchObject({
          covered: 0,
        });
      }),
    ));

  it('is due once if the newest round was made while the clock was three hours ahead', async () => {
    const minute = 60_000;
    await rig.run(async (service) => {
      const clock = service.container.get(TOKENS.clock);
      clock.now = () => new Date(Date.now() + 180 * minute);
      await service.container.get(CheckpointRound).run();
    });
    await rig.run(async (service) => {
      const round = service.container.get(CheckpointRound);
      expect(await round.isDue(60 * minute)).toBe(true);
      await round.run();
      expect(await round.isDue(60 * minute)).toBe(false);
      expect(await round.isDue(0)).toBe(true);
    });
  });

  it('leaves a chain out that was cut or changed, names it, and covers the others', () =>
    rig.run(async (service) => {
      const round = service.container.get(CheckpointRound);
      const [cut, changed, whole] = await Promise.all([
        note(service, 1),
        note(service, 2),
        note(service, 3),
      ]);
      const reference = { kind: 'ticket', uri: 'https://example.org/1' };
      const client = rig.at(service, rig.world.principal.client);
      await ok(client.post(`/v1/records/${cut['id']}/references`, reference));
      await round.run();
      await rig.database.raw(
        `DELETE FROM chain_entries WHERE chain_key = '${cut['id']}' AND position = 2`,
      );
      await rig.database.raw(
        `UPDATE chain_heads SET position = 1, hash = (SELECT hash FROM chain_entries WHERE chain_key = '${cut['id']}') WHERE chain_key = '${cut['id']}'`,
      );
      for (const record of [changed, whole])
        await ok(client.post(`/v1/records/${record['id']}/references`, reference));
      await rig.database.raw(
        `UPDATE chain_heads SET hash = x'${toHex(new Uint8Array(32))}' WHERE chain_key = '${changed['id']}'`,
      );
      const { covered, uncovered } = (await round.run())!;
      // The whole one, and the schema chain of the org, whose log grew by its entry.
      expect(covered).toBe(2);
      expect([...uncovered].sort((a, b) => a.finding.localeCompare(b.finding))).toEqual([
        { chainKey: changed['id'], finding: 'payload_drift' },
        { chainKey: cut['id'], finding: 'rewound' },
      ]);
    }));

  it.each([
    ['the nodes of its tree', `UPDATE log_nodes SET hash = x'${'00'.repeat(32)}'`],
    [
      'a leaf',
      'DELETE FROM vault_checkpoints WHERE log_index = (SELECT i FROM (SELECT MAX(log_index) - 1 AS i FROM vault_checkpoints) newest)',
    ],
  ])('signs nothing over a log in which somebody changed %s', async (_what, edit) => {
    const own = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
    await own.prepare();
    try {
      await own.run(async (service) => {
        const round = service.container.get(CheckpointRound);
        await round.run();
        const client = own.at(service, own.world.principal.client);
        for (let n = 0; n < 3; n++) {
          const { id } = await ok(
            client.post('/v1/records', { type: 'note', criteria: { text: `${n}` } }),
          );
          await ok(client.get(`/v1/records/${id}/audit-export`));
        }
        for (const table of ['log_nodes', 'vault_checkpoints'])
          for (const event of ['update', 'delete'])
            await own.database.raw(`DROP TRIGGER ${table}_no_${event}`);
        await own.database.raw(edit);
        const before = await logOf(service);
        await expect(round.run()).rejects.toMatchObject({ members: { reason: 'log_broken' } });
        expect(
          (await logOf(service)).filter(({ chainKey }) => chainKey === PLATFORM_CHAIN),
        ).toEqual(before.filter(({ chainKey }) => chainKey === PLATFORM_CHAIN));
      });
    } finally {
      await own.end();
    }
  });

  it('passes over chains among which none grew, and looks at all of them once a day', async () => {
    const own = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
    await own.prepare();
    try {
      await own.run(async (service) => {
        const round = service.container.get(CheckpointRound);
        const pages = vi.spyOn(service.container.get(TOKENS.chainReads), 'chainsAfter');
        const looks = async () => {
          pages.mockClear();
          const result = await round.run();
          return { covered: result?.covered, pages: pages.mock.calls.length };
        };
        const client = own.at(service, own.world.principal.client);
        const { id } = await ok(client.post('/v1/records', { type: 'job', criteria: GOAL }));
        await round.run();
        // The page that ends the look is asked for in any case.
        expect(await looks()).toEqual({ covered: 0, pages: 1 });
        await ok(client.post(`/v1/records/${id}/transition`, { action: 'activate' }));
        // The chain, and the log of its org.
        expect(await looks()).toEqual({ covered: 2, pages: 2 });
        expect(await looks()).toEqual({ covered: 0, pages: 1 });
        const clock = service.container.get(TOKENS.clock);
        const tomorrow = new Date(Date.now() + 25 * 3_600_000);
        vi.spyOn(clock, 'now').mockReturnValue(tomorrow);
        expect(await looks()).toEqual({ covered: 0, pages: 2 });
      });
    } finally {
      await own.end();
    }
  });
});
