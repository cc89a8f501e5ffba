import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

type Row = Record<string, unknown>;

/**
 * Whoever writes the database hides a chain from the rounds until the key has changed, and puts the row back. The last
 * entries of the chain are then genuine, covered by nothing, and INVALID for ever; the KEY_RETIRED says that no chain was
 * left out.
 */
describe.each(quickDatabases())(
  'a chain that an edited row hides from a rotation on $name',
  (kind) => {
    const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });

    beforeAll(async () => {
      await rig.prepare();
      await rig.database.raw('DROP TRIGGER vault_checkpoints_no_update');
    });
    afterAll(() => rig.end());

    it.each<[string, (id: string, head: Row, covered: Row) => readonly [string, string]]>([
      [
        'the row of its head is gone',
        (id, head) => [
          `DELETE FROM chain_heads WHERE chain_key = '${id}'`,
          `INSERT INTO chain_heads (${Object.keys(head).join(', ')}) VALUES (${Object.values(head).map(literal).join(', ')})`,
        ],
      ],
      [
        'the row of its head is the one of its checkpoint',
        (id, head, covered) => [
          `UPDATE chain_heads SET position = 1, hash = ${literal(covered['head_hash'])} WHERE chain_key = '${id}'`,
          `UPDATE chain_heads SET position = 2, hash = ${literal(head['hash'])} WHERE chain_key = '${id}'`,
        ],
      ],
      [
        'the row of its checkpoint claims the head',
        (id, head, covered) => [
          `UPDATE vault_checkpoints SET position = 2, head_hash = ${literal(head['hash'])} WHERE chain_key = '${id}'`,
          `UPDATE vault_checkpoints SET position = 1, head_hash = ${literal(covered['head_hash'])} WHERE chain_key = '${id}'`,
        ],
      ],
    ])('%s', (_name, edits) =>
      rig.run(async (service) => {
        const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
        const principal = rig.at(service, rig.world.principal.client);
        const created = await ok(
          principal.post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
        );
        const id = String(created['id']);
        await service.container.get(CheckpointRound).run();
        await ok(
          principal.post(`/v1/records/${id}/references`, {
            kind: 'ticket',
            uri: 'https://example.org/1',
          }),
        );
        const rowOf = async (table: string): Promise<Row> =>
          (await rig.database.raw(`SELECT * FROM ${table} WHERE chain_key = '${id}'`))[0]!;
        const [hide, restore] = edits(
          id,
          await rowOf('chain_heads'),
          await rowOf('vault_checkpoints'),
        );
        await rig.database.raw(hide);
        await ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'));
        await rig.database.raw(restore);
        const listed = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
        const retired = Uint8Array.from(
          Buffer.from(String(listed['keyStatements'].at(-1).coseSign1), 'base64'),
        );
        const uncovered = readEntry(retired)?.predicate['uncovered'];
        const document = await ok(principal.get(`/v1/records/${id}/audit-export`));
        const { verdict } = await verifyAuditExport(JSON.stringify(document), { trust });
        // Either the rotation covered the chain all the same, or it says that it left one out.
        expect([verdict, uncovered]).not.toEqual(['invalid', 0]);
      }),
    );
  },
);
