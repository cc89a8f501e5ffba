import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { GOAL, ok } from '../../support/service/world.ts';

type Row = Record<string, unknown>;

const uuid = (id: string): string => `x'${id.replaceAll('-', '')}'`;

/**
 * Whoever writes the database cuts the end off a chain that a checkpoint saw, and lets the row of that checkpoint say that it
 * saw less. Its signed bytes are left alone, so the log of checkpoints is whole.
 */
describe.each(quickDatabases())(
  'a chain that was cut, with its checkpoint edited, on $name',
  (kind) => {
    const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' });

    beforeAll(async () => {
      await rig.prepare();
      for (const trigger of ['no_update', 'no_delete'])
        await rig.database.raw(`DROP TRIGGER vault_checkpoints_${trigger}`);
    });
    afterAll(() => rig.end());

    const rows = (sql: string): Promise<readonly Row[]> => rig.database.raw(sql);
    const insert = (table: string, row: Row): Promise<unknown> =>
      rows(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
      );
    const refer = (service: Parameters<typeof rig.at>[0], id: string, n: number) =>
      rig.at(service, rig.world.principal.client).post(`/v1/records/${id}/references`, {
        kind: 'ticket',
        uri: `https://example.org/${n}`,
      });

    /** Takes away all but the first entry, and puts the rows back. */
    const cut = async (id: string, before: { head: Row; record: Row }): Promise<void> => {
      await rows(`DELETE FROM record_references WHERE record_id = ${uuid(id)}`);
      await rows(`DELETE FROM chain_entries WHERE chain_key = '${id}' AND position > 1`);
      for (const [table, where, row] of [
        [`chain_heads`, `chain_key = '${id}'`, before.head],
        ['records', `id = ${uuid(id)}`, before.record],
      ] as const)
        await rows(
          `UPDATE ${table} SET ${Object.entries(row)
            .map(([column, value]) => `${column} = ${literal(value)}`)
            .join(', ')} WHERE ${where}`,
        );
    };

    it.each<[string, (id: string, head: Row) => Promise<unknown>]>([
      [
        'the row of the checkpoint says less than its bytes',
        (id, head) =>
          rows(
            `UPDATE vault_checkpoints SET position = ${literal(head['position'])}, head_hash = ${literal(head['hash'])} WHERE chain_key = '${id}'`,
          ),
      ],
      [
        'a newer row that nobody signed stands in its way',
        async (id, head) => {
          const [last] = await rows(
            'SELECT * FROM vault_checkpoints ORDER BY log_index DESC LIMIT 1',
          );
          const [mine] = await rows(`SELECT * FROM vault_checkpoints WHERE chain_key = '${id}'`);
          await insert('vault_checkpoints', {
            ...mine,
            id:
              last!['id'] instanceof Uint8Array
                ? crypto.getRandomValues(new Uint8Array(16))
                : crypto.randomUUID(),
            log_index: Number(last!['log_index']) + 1,
            position: head['position'],
            head_hash: head['hash'],
          });
        },
      ],
    ])('is refused where %s', async (_name, hide) => {
      const { id, before } = await rig.run(async (service) => {
        const principal = rig.at(service, rig.world.principal.client);
        const created = await ok(
          principal.post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
        );
        const name = String(created['id']);
        const saved = {
          head: (await rows(`SELECT * FROM chain_heads WHERE chain_key = '${name}'`))[0]!,
          record: (await rows(`SELECT * FROM records WHERE id = ${uuid(name)}`))[0]!,
        };
        await ok(refer(service, name, 1));
        await service.container.get(CheckpointRound).run();
        await service.container.get(AnchorSweep).run();
        return { id: name, before: saved };
      });
      await cut(id, before);
      await hide(id, before.head);
      await rig.run(async (service) => {
        expect((await refer(service, id, 2)).status).toBe(409);
      });
      await rows(
        "DELETE FROM vault_checkpoints WHERE log_index > (SELECT m FROM (SELECT MAX(log_index) AS m FROM vault_checkpoints WHERE chain_kind = 'admin') x)",
      );
    });

    it('is CHAIN_REWIND_DETECTED where the row of the head was set back, and that of the record was not', async () => {
      const id = await rig.run(async (service) => {
        const principal = rig.at(service, rig.world.principal.client);
        const note = { type: 'note', criteria: { text: 'a note' } };
        const name = String((await ok(principal.post('/v1/records', note)))['id']);
        for (const n of [1, 2]) await ok(refer(service, name, n));
        await service.container.get(CheckpointRound).run();
        return name;
      });
      await rows(`DELETE FROM chain_entries WHERE chain_key = '${id}' AND position > 1`);
      const [first] = await rows(`SELECT hash FROM chain_entries WHERE chain_key = '${id}'`);
      await rows(
        `UPDATE chain_heads SET position = 1, hash = ${literal(first!['hash'])} WHERE chain_key = '${id}'`,
      );
      await rig.run(async (service) => {
        const { status, body } = await refer(service, id, 3);
        expect([status, body['code']]).toEqual([409, 'CHAIN_REWIND_DETECTED']);
      });
    });

    it.each([
      ['the entries after the first one are', 1],
      ['all entries are', 0],
    ])(
      'is CHAIN_REWIND_DETECTED if %s gone and the row of the head still names them',
      async (_what, left) => {
        const id = await rig.run(async (service) => {
          const principal = rig.at(service, rig.world.principal.client);
          const note = { type: 'note', criteria: { text: 'a note' } };
          const name = String((await ok(principal.post('/v1/records', note)))['id']);
          for (const n of [1, 2]) await ok(refer(service, name, n));
          await service.container.get(CheckpointRound).run();
          return name;
        });
        const where = `chain_key = '${id}' AND position > ${left}`;
        const lost = await rows(`SELECT * FROM chain_entries WHERE ${where}`);
        await rows(`DELETE FROM chain_entries WHERE ${where}`);
        await rig.run(async (service) => {
          const { status, body } = await refer(service, id, 3);
          expect([status, body['code']]).toEqual([409, 'CHAIN_REWIND_DETECTED']);
          const platform = rig.at(service, rig.world.platform);
          const listed = async (): Promise<unknown> =>
            ((await ok(platform.get('/v1/admin/vault/rewind')))['data'] as Row[]).filter(
              ({ chainKey }) => chainKey === id,
            );
          await service.container.get(AnchorSweep).run();
          expect(await listed()).toMatchObject([{ localPosition: left, anchoredPosition: 3 }]);
          // The chain is written again when its entries are back.
          await rows('DROP TRIGGER IF EXISTS chain_entries_by_active_key');
          for (const row of lost) await insert('chain_entries', row);
          await ok(platform.post('/v1/admin/vault/anchors/reconcile', {}));
          await ok(refer(service, id, 3));
        });
      },
    );

    it('is CONFLICT if the newest entry is there and was edited', async () => {
      const id = await rig.run(async (service) => {
        const principal = rig.at(service, rig.world.principal.client);
        const note = { type: 'note', criteria: { text: 'a note' } };
        const name = String((await ok(principal.post('/v1/records', note)))['id']);
        await ok(refer(service, name, 1));
        await service.container.get(CheckpointRound).run();
        return name;
      });
      await rows(
        `UPDATE chain_entries SET cose_sign1 = x'00' WHERE chain_key = '${id}' AND position = 2`,
      );
      await rig.run(async (service) => {
        expect(await refer(service, id, 2)).toMatchObject({
          status: 409,
          body: { code: 'CONFLICT', reason: 'payload_drift' },
        });
      });
    });

    it('is refused by a process that compared the chain before', async () => {
      const create = async (service: Parameters<typeof rig.at>[0]): Promise<string> => {
        const principal = rig.at(service, rig.world.principal.client);
        const performerAgentId = rig.world.performer.id;
        const job = { type: 'job', criteria: GOAL, performerAgentId };
        return String((await ok(principal.post('/v1/records', job)))['id']);
      };
      const id = await rig.run(create);
      const before = {
        head: (await rows(`SELECT * FROM chain_heads WHERE chain_key = '${id}'`))[0]!,
        record: (await rows(`SELECT * FROM records WHERE id = ${uuid(id)}`))[0]!,
      };
      await rig.run(async (service) => {
        await ok(refer(service, id, 1));
        await service.container.get(CheckpointRound).run();
        await cut(id, before);
        expect((await refer(service, id, 2)).status).toBe(409);
      });
    });
  },
);
