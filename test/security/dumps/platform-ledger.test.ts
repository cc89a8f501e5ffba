import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformLedger } from '../../../application/sealing/platform-ledger.ts';
import { systemOrigin } from '../../../application/sealing/origin.ts';
import { SealPlatform } from '../../../application/sealing/seal-platform.ts';
import type { RowVersions } from '../../../application/sealing/row-versions.port.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { useApi } from '../../support/service/api.ts';
import { addAgent, ok } from '../../support/service/world.ts';

// Contract of application/sealing/row-versions.port.ts

const directory = mkdtempSync(join(tmpdir(), 'notary-ledger-'));
const api = useApi({ DATA_DIR: join(directory, 'data') });
let database: InstanceType<typeof DatabaseSync>;
beforeAll(() => {
  database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), { timeout: 5_000 });
  // Whoever writes the database may drop the triggers as well.
  database.exec('DROP TRIGGER chain_entries_no_update; DROP TRIGGER chain_entries_no_delete');
});
afterAll(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** As another node has it, which reads the chain itself. */
const node = (): PlatformLedger & RowVersions =>
  new PlatformLedger(
    api.service.container.get(TOKENS.chainReads),
    api.service.container.get(Vault),
  );
const changed = async (): Promise<string> => {
  const { id } = await addAgent(api.world.admin, api.world.orgId, 'any');
  await ok(api.world.admin.call('PUT', `/v1/agents/${id}/capabilities`, { types: ['note'] }));
  return id;
};
const DRIFT = { code: 'CONFLICT', members: { reason: 'payload_drift' } };

describe('the ledger of the platform chain', () => {
  it('knows the version of every row, from the first entry on and as the chain grows', async () => {
    const [id, ledger] = [await changed(), node()];
    const { entries, rows } = await ledger.open();
    expect([entries > 10, rows > 0]).toEqual([true, true]);
    expect((await ledger.now())(id)).toBe(2);
    await ok(api.world.admin.post(`/v1/admin/agents/${id}/deactivate`, {}));
    expect((await ledger.now())(id)).toBe(3);
    expect((await ledger.recent())(id)).toBe(3);
    expect((await ledger.now())(api.world.principal.id)).toBe(1);
  });

  it('learns within a tenth of a second what another node seals', async () => {
    const [id, ledger] = [await changed(), node()];
    await ledger.open();
    await ok(api.world.admin.post(`/v1/admin/agents/${id}/deactivate`, {}));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await ledger.recent())(id)).toBe(3);
  });

  it('sees what a unit of work sealed, and forgets it where that is rolled back', async () => {
    const [id, ledger] = [await changed(), node()];
    await ledger.open();
    const { unitOfWork } = api.service.container.get(TOKENS.sql);
    const rolledBack = unitOfWork.transaction(async (stores) => {
      await api.service.container.get(SealPlatform).seal(stores, systemOrigin('test'), {
        entryType: 'AGENT_REACTIVATED',
        orgId: api.world.orgId,
        rows: { [id]: 9 },
        members: { agentId: id },
      });
      expect((await ledger.within(stores.chains))(id)).toBe(9);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect((await ledger.now())(id)).toBe(2);
  });

  it.each([
    [
      'the bytes of an entry',
      "UPDATE chain_entries SET cose_sign1 = X'00' WHERE chain_key = ? AND position = 5",
    ],
    ['an entry taken out', 'DELETE FROM chain_entries WHERE chain_key = ? AND position = 5'],
    [
      'an entry moved',
      'UPDATE chain_entries SET position = 100000 WHERE chain_key = ? AND position = 5',
    ],
    [
      'an entry of another chain put in its place',
      'UPDATE chain_entries SET cose_sign1 = (SELECT cose_sign1 FROM chain_entries WHERE position = 6 LIMIT 1) WHERE chain_key = ? AND position = 5',
    ],
  ])('reads no chain with %s', async (_what, edit) => {
    const before = await node().open();
    expect(before.entries).toBeGreaterThan(10);
    database.exec('BEGIN IMMEDIATE');
    const whole = database
      .prepare('SELECT * FROM chain_entries WHERE chain_key = ? AND position = 5')
      .get(PLATFORM_CHAIN) as Record<string, string>;
    database.prepare(edit).run(PLATFORM_CHAIN);
    database.exec('COMMIT');
    await expect(node().open()).rejects.toMatchObject(DRIFT);
    database
      .prepare('DELETE FROM chain_entries WHERE chain_key = ? AND position IN (5, 100000)')
      .run(PLATFORM_CHAIN);
    database
      .prepare(
        `INSERT INTO chain_entries (${Object.keys(whole).join(', ')}) VALUES (${Object.keys(whole).fill('?').join(', ')})`,
      )
      .run(...Object.values(whole));
    expect((await node().open()).entries).toBe(before.entries);
  });

  it('notices that the end of the chain was cut off, and keeps what it knows', async () => {
    const [id, ledger] = [await changed(), node()];
    const { entries } = await ledger.open();
    const last = database
      .prepare('SELECT * FROM chain_entries WHERE chain_key = ? AND position = ?')
      .get(PLATFORM_CHAIN, entries) as Record<string, string>;
    database
      .prepare('DELETE FROM chain_entries WHERE chain_key = ? AND position = ?')
      .run(PLATFORM_CHAIN, entries);
    await expect(ledger.now()).rejects.toMatchObject(DRIFT);
    database
      .prepare(
        `INSERT INTO chain_entries (${Object.keys(last).join(', ')}) VALUES (${Object.keys(last).fill('?').join(', ')})`,
      )
      .run(...Object.values(last));
    expect((await ledger.now())(id)).toBe(2);
  });
});
