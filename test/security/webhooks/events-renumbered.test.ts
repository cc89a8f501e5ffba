import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { until } from '../../support/peers/receiver.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { editsItsVault } from '../../support/service/genuine-vault.ts';

editsItsVault(import.meta.filename);

// Old events whose readers are all far behind them: nobody who follows the numbers meets the hole.

describe.each(quickDatabases())('an old event on $name', (kind) => {
  const rig = new VaultRig(kind);
  beforeAll(() => rig.prepare(), 60_000);
  afterAll(() => rig.end());

  const found = async (service: RunningService): Promise<readonly string[]> =>
    (await scanHere(service)).brokenRecords
      .map((broken) => JSON.stringify(broken))
      .filter((text) => text.includes('event_counter'));

  it('that loses its number, and all that says that it had one, is found by a scan', () =>
    rig.run(async (service) => {
      expect(await found(service)).toEqual([]);
      const [row] = await rig.database.raw('SELECT * FROM outbox WHERE sequence = 3');
      await rig.database.raw(
        'UPDATE outbox SET sequence = NULL, numbered_at = NULL, number_key = NULL, number_mac = NULL WHERE sequence = 3',
      );
      const { events } = service.container.get(TOKENS.sql);
      if (kind.name === 'mysql') {
        // It comes again, under the same id, and with another number.
        const id = Buffer.from(row!['id'] as Uint8Array).toString('hex');
        const given = async () =>
          (await events.numbered([await events.newest()])).map((event) =>
            event.id.replaceAll('-', ''),
          );
        await until(async () => (await given()).includes(id));
      }
      expect(await found(service)).toHaveLength(1);
    }));

  it('that is gone is found by a scan', async () => {
    const other = new VaultRig(kind);
    await other.prepare();
    await other.run(async (service) => {
      expect(await found(service)).toEqual([]);
      await other.database.raw('DELETE FROM outbox WHERE sequence = 2');
      expect(await found(service)).toHaveLength(1);
    });
    await other.end();
  });
});
