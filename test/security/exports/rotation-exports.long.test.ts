import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { trustOf, type Trust } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { databases } from '../../support/databases/databases.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok, type Body } from '../../support/service/world.ts';

describe.each(databases())('an export that a rotation overtakes on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  let trust: Trust;

  beforeAll(async () => {
    await rig.prepare();
    await rig.run((service) => {
      trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
      return Promise.resolve();
    });
  });
  afterAll(() => rig.end());

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );
  const rotate = (service: RunningService): Promise<Body> =>
    ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'));
  const verdict = async (document: Body): Promise<string> => {
    const report = await verifyFile(JSON.stringify(document), { trust });
    return [report.verdict, ...report.failures.map((failure) => failure.class)].join(' ');
  };

  it.each(['', '?subtree=true'])(
    'is closed by the new key where another node rotated a moment before (%s)',
    (query) =>
      rig.run((one) =>
        rig.run(async (other) => {
          const { id } = await note(one);
          const path = `/v1/records/${String(id)}/audit-export${query}`;
          const exported = () => ok(rig.at(one, rig.world.principal.client).get(path));
          expect(await verdict(await exported())).toBe('valid');
          await rotate(other);
          expect(await verdict(await exported())).toBe('valid');
        }),
      ),
  );

  it(
    'is valid whenever it is whole, however often the key changes meanwhile',
    () =>
      rig.run(async (service) => {
        const principal = rig.at(service, rig.world.principal.client);
        const found = new Set<string>();
        let isOver = false;
        const read = async (): Promise<void> => {
          const { id } = await note(service);
          do found.add(await verdict(await ok(principal.get(`/v1/records/${id}/audit-export`))));
          while (!isOver);
        };
        const readers = Array.from({ length: 5 }, read);
        for (let count = 0; count < 10; count++) await rotate(service);
        isOver = true;
        await Promise.all(readers);
        expect([...found]).toEqual(['valid']);
      }),
    180_000,
  );
});
