import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { readKeyListing } from '../../../domain/verification/keys/key-listing.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { databases } from '../../support/databases/databases.ts';
import { expectProblem } from '../../support/stories/problems.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

type Row = Record<string, unknown>;

const uuid = (id: string): string => `x'${id.replaceAll('-', '')}'`;

/**
 * Whoever writes the database and has the leaked retired key puts an entry of it at the end of a chain, after the rotation,
 * with the rows that agree. What he signs is what the service itself signed before: an entry that was taken away again.
 */
describe('an entry that a leaked retired key signed and somebody inserted', () => {
  const rig = new VaultRig(databases()[0]!, { CHECKPOINT_INTERVAL: '1440' });
  beforeAll(async () => {
    await rig.prepare();
    await rig.database.raw('DROP TRIGGER chain_entries_by_active_key');
  });
  afterAll(() => rig.end());

  const rows = (sql: string): Promise<readonly Row[]> => rig.database.raw(sql);
  const rowsOf = async (id: string) => ({
    chain_entries: await rows(
      `SELECT * FROM chain_entries WHERE chain_key = '${id}' AND position > 1`,
    ),
    record_references: await rows(`SELECT * FROM record_references WHERE record_id = ${uuid(id)}`),
    chain_heads: await rows(`SELECT * FROM chain_heads WHERE chain_key = '${id}'`),
    records: await rows(`SELECT * FROM records WHERE id = ${uuid(id)}`),
  });
  const putBack = async (id: string, saved: Awaited<ReturnType<typeof rowsOf>>): Promise<void> => {
    await rows(`DELETE FROM record_references WHERE record_id = ${uuid(id)}`);
    await rows(`DELETE FROM chain_entries WHERE chain_key = '${id}' AND position > 1`);
    for (const table of ['chain_entries', 'record_references'] as const)
      for (const row of saved[table])
        await rows(
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
        );
    for (const [table, where] of [
      ['chain_heads', `chain_key = '${id}'`],
      ['records', `id = ${uuid(id)}`],
    ] as const)
      await rows(
        `UPDATE ${table} SET ${Object.entries(saved[table][0]!)
          .map(([column, value]) => `${column} = ${literal(value)}`)
          .join(', ')} WHERE ${where}`,
      );
  };
  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);

  it('is continued by nothing, and gets no receipt with which an attestation is VALID', async () => {
    const { id, before, after } = await rig.run(async (service) => {
      const created = await ok(
        client(service).post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
      );
      const name = String(created['id']);
      const first = await rowsOf(name);
      await ok(
        client(service).post(`/v1/records/${name}/references`, {
          kind: 'ticket',
          uri: 'https://example.org/forged',
        }),
      );
      const second = await rowsOf(name);
      // Before it is taken over into the log of the org.
      await putBack(name, first);
      return { id: name, before: first, after: second };
    });
    expect(before.chain_entries).toEqual([]);
    await rig.run((service) =>
      ok(
        rig
          .at(service, rig.world.platform)
          .post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }),
      ),
    );
    await putBack(id, after);
    await rig.run(async (service) => {
      // Nothing is built on it.
      expectProblem(
        await client(service).post(`/v1/records/${id}/references`, {
          kind: 'ticket',
          uri: 'https://example.org/next',
        }),
        409,
        'CONFLICT',
      );
      const { url, key } = client(service);
      const answer = await fetch(`${url}/v1/records/${id}/attestation?receipts=true`, {
        headers: { authorization: `Bearer ${String(key)}` },
      });
      if (!answer.ok) return expect(answer.status).toBe(409);
      const listing = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
      const report = await verifyFile(new Uint8Array(await answer.arrayBuffer()), {
        trust: trustOf(readKeyListing(listing)),
      });
      expect(report.subject.entries).toBe(2);
      expect(report.verdict).not.toBe('valid');
    });
  });
});
