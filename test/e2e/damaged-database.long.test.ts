import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import { createWorld } from '../support/service/world.ts';

const make = ownServices();

/** Overwrites the first page of a table and of each of its indexes, as a failing disk does. */
const damage = (file: string, table: string): void => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size: size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  const roots = database
    .prepare('SELECT rootpage AS page FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0')
    .all(table) as { page: number }[];
  database.close();
  expect(roots.length).toBeGreaterThan(0);
  const open = openSync(file, 'r+');
  for (const { page } of roots)
    writeSync(open, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size);
  closeSync(open);
};

describe('a damaged page of the database', () => {
  it('is named with its file and what to do: by the log, the probes and the commands; callers get a plain 503', async () => {
    const service = make();
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const file = join(service.directory, 'data', 'notary.sqlite');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    damage(file, 'disputes');

    const refused = await world.admin.get('/v1/disputes');
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringMatching(/^The database is damaged/) as unknown,
      suggestion: expect.stringContaining('operator') as unknown,
    });
    expect(JSON.stringify(refused.body)).not.toMatch(/malformed|sqlite|SELECT/i);
    expect(refused.headers.get('retry-after')).toBe('300');

    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      reason: expect.stringContaining('The database is damaged') as unknown,
    });
    const health = (await (await fetch(`${service.url}/health`)).json()) as { reason: string };
    expect(health.reason).toContain('notary restore');
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: expect.stringContaining(
          `the database is damaged: ${file} is damaged. Stop`,
        ) as unknown,
      }),
    );
  });

  it('is named by a scan and a dump, which read in other threads and snapshots', async () => {
    const service = make();
    await service.bootstrap();
    const file = join(service.directory, 'data', 'notary.sqlite');
    for (const [table, ...args] of [
      ['records', 'scan'],
      ['vault_checkpoints', 'dump', '--out', join(service.directory, 'dump')],
    ] as const) {
      damage(file, table);
      const { code, stderr } = await service.run(...args);
      expect([args[0], code], stderr).toEqual([args[0], 1]);
      expect(stderr).toContain(`: ${file} is damaged. Stop the service`);
      expect(stderr).toContain('notary restore FILE');
    }
  });

  it('is named by each command of the host that meets it', async () => {
    const service = make();
    await service.bootstrap();
    const file = join(service.directory, 'data', 'notary.sqlite');
    damage(file, 'api_keys');
    for (const args of [
      ['keys', 'list'],
      ['doctor'],
      ['backup', join(service.directory, 'copy')],
    ]) {
      const { code, stdout, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stdout + stderr).toContain(`${file} is damaged. Stop the service`);
    }
  });
});
