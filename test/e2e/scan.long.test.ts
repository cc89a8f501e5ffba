import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completed } from '../support/service/scans.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type Body, type World } from '../support/service/world.ts';

const SCAN = '/v1/admin/vault/scan';

describe.each(databases())('a scan on $name', (kind) => {
  let database: TestDatabase;
  let secrets: Readonly<Record<string, string>>;
  let service: ServiceProcess;
  let world: World;

  const another = (): ServiceProcess =>
    new ServiceProcess({ DATABASE_URL: database.url, ...secrets }, service.directory);

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    secrets = freshSecrets();
    service = new ServiceProcess({ DATABASE_URL: database.url, ...secrets });
    const { apiKey } = await service.bootstrap();
    await service.start();
    world = await createWorld(service.url, apiKey);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  it('is run by notary scan beside the service: 0 where all is healthy, 1 where a row was edited', async () => {
    const { id } = await ok(
      world.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    const healthy = await service.run('scan');
    expect(healthy.stdout, healthy.stderr).toMatch(/ 0 broken, 0 entries without/);
    expect(healthy.code).toBe(0);
    const where = `WHERE id = x'${String(id).replaceAll('-', '')}'`;
    await database.raw(`UPDATE records SET status = 'FAILED' ${where}`);
    const broken = await service.run('scan', '--json');
    expect(broken.code, broken.stderr).toBe(1);
    expect(JSON.parse(broken.stdout) as Body).toMatchObject({
      broken: 1,
      brokenRecords: [{ recordId: id, reason: 'payload_drift', detail: 'records: status' }],
    });
    await database.raw(`UPDATE records SET status = 'RECORDED' ${where}`);
  });

  it('goes on after its node was killed over it', async () => {
    const notes = Array.from({ length: 100 }, (_, at) => ({ type: 'note', criteria: { at } }));
    for (let call = 0; call < 20; call++)
      await ok(world.principal.client.post('/v1/records/bulk', notes));
    let jobId: unknown;
    await expect
      .poll(
        async () => {
          // One that was over before anybody looked is asked for again.
          const asked = await world.platform.post(SCAN);
          if (asked.status < 300) ({ jobId } = asked.body);
          return database.raw('SELECT attempts FROM vault_scans WHERE in_flight IS NOT NULL');
        },
        { interval: 5 },
      )
      .toEqual([{ attempts: 1 }]);
    await service.stop('SIGKILL');
    const next = another();
    await next.start();
    try {
      await database.raw("UPDATE jobs SET lease_until = 0 WHERE name = 'vault-scan'");
      const scan = await completed(new Client(next.url, world.platform.key), jobId);
      expect(scan).toMatchObject({ failure: null, result: { broken: 0 } });
      expect(scan['result'].entries).toBeGreaterThan(2_000);
    } finally {
      await next.stop();
    }
  });
});
