import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { databases } from '../support/databases/databases.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok } from '../support/service/world.ts';

const place = provisioningPlace();
const JOB = 'provisioning';

describe.each(databases())(
  'a process that was killed while it applied its files on $name',
  (kind) => {
    let rig: VaultRig;
    beforeEach(async () => {
      place.write({ 'orgs/umbrella.yaml': 'slug: umbrella\nname: Umbrella\n' });
      rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ANCHOR: 'none', ...place.env });
      rig.env = { ...rig.env, PROVISIONING_PATH: '' };
      await rig.prepare();
      rig.env = { ...rig.env, ...place.env };
    });
    afterEach(() => rig.end());

    /** As a process leaves it that ends between two writes. */
    const leaveLease = async (forMs: number): Promise<void> => {
      await rig.database.raw(`DELETE FROM jobs WHERE name = '${JOB}'`);
      const at = Date.now();
      await rig.database.raw(
        `INSERT INTO jobs (name, holder, lease_until, last_started_at) VALUES ('${JOB}', 'b6a1f2aa-2f6e-4b0f-9c64-52b9d6d9a001', ${at + forMs}, ${at - 1_000})`,
      );
    };
    const orgs = async (service: RunningService): Promise<string> =>
      JSON.stringify((await ok(rig.at(service, rig.world.platform).get('/v1/admin/orgs')))['data']);

    it('its files are applied by the next start, which waits for its lease where it has to', async () => {
      const begun = Date.now();
      await leaveLease(3_000);
      await rig.run(async (service) => {
        expect(await orgs(service)).toContain('"umbrella"');
        if (kind.name !== 'sqlite') expect(Date.now() - begun).toBeGreaterThan(2_900);
      });
    });

    it('a lease of another that runs is waited for, and the log says why', () =>
      rig.run(async (service) => {
        const warn = vi.spyOn(service.container.get(TOKENS.log), 'warn');
        await leaveLease(14_000);
        let isOver = false;
        const reload = ok(
          rig.at(service, rig.world.platform).post('/v1/admin/provisioning/reload'),
        ).finally(() => (isOver = true));
        try {
          await vi.waitFor(
            () =>
              expect(warn).toHaveBeenCalledWith(
                expect.objectContaining({ trigger: 'request' }),
                expect.stringMatching(/wait for another process .* its lease ends within 15 s/),
              ),
            60_000,
          );
          expect(isOver).toBe(false);
        } finally {
          await rig.database.raw(`UPDATE jobs SET lease_until = 0 WHERE name = '${JOB}'`);
          await reload;
        }
      }));

    it.runIf(kind.name === 'sqlite')(
      'who is alone on the file takes the lease over at once',
      async () => {
        await leaveLease(15_000_000);
        await rig.run(async (service) => expect(await orgs(service)).toContain('"umbrella"'));
      },
    );

    it.runIf(kind.name === 'sqlite')(
      'who is not alone leaves it, and so does a later one alone',
      async () => {
        await rig.run((first) =>
          rig.run(async (second) => {
            await leaveLease(15_000_000);
            expect(await second.container.get(TOKENS.sql).endLeftLease(JOB)).toBe(false);
            // It was taken after the first had joined.
            await rig.database.raw(
              `UPDATE jobs SET last_started_at = ${Date.now() + 1} WHERE name = '${JOB}'`,
            );
            expect(await first.container.get(TOKENS.sql).endLeftLease(JOB)).toBe(false);
          }),
        );
      },
    );
  },
);
