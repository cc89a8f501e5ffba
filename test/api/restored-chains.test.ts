import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { literal, VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };

describe.each(quickDatabases())('a chain that is whole again on $name', (kind) => {
  let rig: VaultRig;
  let id: string;
  let lost: readonly Record<string, unknown>[];
  let head: Record<string, unknown>;
  let references: readonly Record<string, unknown>[];
  let record: Record<string, unknown>;

  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const refer = (service: RunningService, n: number) =>
    client(service).post(`/v1/records/${id}/references`, {
      kind: 'ticket',
      uri: `https://example.org/${n}`,
    });
  const sweep = (service: RunningService) => service.container.get(AnchorSweep).run();
  const reconcile = async (service: RunningService): Promise<Body> =>
    ok(platform(service).post('/v1/admin/vault/anchors/reconcile', {}));
  const acknowledge = (service: RunningService): Promise<Body> =>
    ok(platform(service).post('/v1/admin/vault/rewind/acknowledge', {}));
  const findings = async (service: RunningService): Promise<readonly Body[]> =>
    (await ok(platform(service).get('/v1/admin/vault/rewind')))['data'] as Body[];
  const of = (table: string, where = ''): string =>
    `FROM ${table} WHERE chain_key = '${id}'${where}`;
  const insert = (table: string, row: Record<string, unknown>) =>
    rig.database.raw(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
    );
  const setHead = async (row: Record<string, unknown>): Promise<void> => {
    await rig.database.raw(`DELETE ${of('chain_heads')}`);
    await insert('chain_heads', row);
  };
  /** Positions 2 to 4 are gone, and the head says so. */
  const cut = async (): Promise<void> => {
    const [first] = await rig.database.raw(
      `SELECT hash, at ${of('chain_entries')} ORDER BY position`,
    );
    await setHead({ ...head, position: 1, hash: first!['hash'], at: first!['at'] });
    await rig.database.raw(`DELETE ${of('chain_entries', ' AND position > 1')}`);
    await rig.database.raw('DELETE FROM record_references');
    await rig.database.raw('UPDATE records SET reference_count = 0, updated_at = created_at');
  };
  const putBack = async (): Promise<void> => {
    for (const row of lost) await insert('chain_entries', row);
    await setHead(head);
    for (const row of references) await insert('record_references', row);
    const { id: key, reference_count: count, updated_at: at } = record;
    await rig.database.raw(
      `UPDATE records SET reference_count = ${literal(count)}, updated_at = ${literal(at)} WHERE id = ${literal(key)}`,
    );
  };
  const expectRefused = async (service: RunningService): Promise<void> => {
    await sweep(service);
    expect(await refer(service, 9)).toMatchObject({
      status: 409,
      body: { code: 'CHAIN_REWIND_DETECTED' },
    });
    expect(await findings(service)).toMatchObject([
      { chainKey: id, localPosition: 1, anchoredPosition: 4, acknowledgedAt: null },
    ]);
  };
  const expectNothingSealed = async (): Promise<void> => {
    const sealed = await rig.database.raw(
      "SELECT position FROM chain_entries WHERE entry_type = 'REWIND_ACKNOWLEDGED'",
    );
    expect(sealed).toEqual([]);
  };

  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
    await rig.database.raw('DROP TRIGGER IF EXISTS chain_entries_by_active_key');
    await rig.run(async (service) => {
      const note = { type: 'note', criteria: { text: 'a note' } };
      id = String((await ok(client(service).post('/v1/records', note)))['id']);
      for (const n of [1, 2, 3]) await ok(refer(service, n));
      await service.container.get(CheckpointRound).run();
      await sweep(service);
    });
    lost = await rig.database.raw(`SELECT * ${of('chain_entries', ' AND position > 1')}`);
    [head] = (await rig.database.raw(`SELECT * ${of('chain_heads')}`)) as [Record<string, unknown>];
    references = await rig.database.raw('SELECT * FROM record_references');
    [record] = (await rig.database.raw('SELECT * FROM records WHERE reference_count = 3')) as [
      Record<string, unknown>,
    ];
    await cut();
  });
  afterEach(() => rig.end());

  it('is written again once somebody reconciles, on every node, and no loss is sealed', () =>
    rig.run((service) =>
      rig.run(async (node) => {
        await expectRefused(service);
        await expect
          .poll(async () => (await refer(node, 9)).body['code'] as string)
          .toBe('CHAIN_REWIND_DETECTED');
        await putBack();
        expect(await reconcile(service)).toMatchObject({ total: 0, data: [] });
        await ok(refer(service, 4));
        await expect.poll(async () => (await refer(node, 5)).status).toBe(201);
        expect(await findings(service)).toEqual([]);
        expect(await acknowledge(service)).toMatchObject({ acknowledged: 0 });
        await expectNothingSealed();
      }),
    ));

  it('is no loss to acknowledge', () =>
    rig.run(async (service) => {
      await expectRefused(service);
      await putBack();
      expect(await acknowledge(service)).toMatchObject({ acknowledged: 0 });
      await ok(refer(service, 4));
      await expectNothingSealed();
    }));

  it('is written again after the next start, as it is where a newer backup was put back', async () => {
    await rig.run(expectRefused);
    await putBack();
    await rig.run(async (service) => {
      await ok(refer(service, 4));
      expect(await findings(service)).toEqual([]);
    });
  });

  it('stays refused where the last entry is there and one before it is not', () =>
    rig.run(async (service) => {
      await expectRefused(service);
      await insert('chain_entries', lost.at(-1)!);
      await setHead(head);
      expect(await reconcile(service)).toMatchObject({ total: 1 });
      expect(await refer(service, 9)).toMatchObject({ status: 409 });
      expect(await acknowledge(service)).toMatchObject({ acknowledged: 1 });
    }));

  it('stays refused where the row of the finding is removed, and the chain is not', () =>
    rig.run(async (service) => {
      await expectRefused(service);
      await rig.database.raw('DELETE FROM rewind_findings');
      await reconcile(service);
      expect(await refer(service, 9)).toMatchObject({ status: 409 });
    }));
});
