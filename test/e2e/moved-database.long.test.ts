import {
  copyFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';

import { Client, createWorld, type World } from '../support/service/world.ts';

const make = ownServices();

interface Running {
  readonly service: ServiceProcess;
  readonly apiKey: string;
  readonly world: World;
  readonly file: string;
}

const running = async (): Promise<Running> => {
  const service = make();
  const { apiKey } = await service.bootstrap();
  await service.start();
  const world = await createWorld(service.url, apiKey);
  return { service, apiKey, world, file: join(service.directory, 'data', 'notary.sqlite') };
};

/** Registers orgs until one is refused. @returns the names of those that were acknowledged. */
const untilRefused = async ({ platform }: World): Promise<readonly string[]> => {
  const acknowledged: string[] = [];
  await expect
    .poll(async () => {
      const name = `org ${acknowledged.length}`;
      const { status, body } = await platform.post('/v1/admin/orgs', { name });
      if (status === 201) acknowledged.push(name);
      else expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      return status;
    })
    .toBe(503);
  return acknowledged;
};

const expectReported = async (service: ServiceProcess, file: string): Promise<void> => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  const health = (await (await fetch(`${service.url}/health`)).json()) as { reason: string };
  expect(health.reason).toContain('The database is damaged');
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      level: 'error',
      msg: expect.stringContaining(`${file} was deleted, moved or replaced`) as unknown,
    }),
  );
};

describe('a database file that goes away while a service runs', () => {
  it.runIf(process.platform === 'linux')(
    'is noticed after a deletion, and is put back from the open files as the log says',
    async () => {
      const { service, apiKey, world, file } = await running();
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`);
      const acknowledged = await untilRefused(world);
      await expectReported(service, file);

      const open = `/proc/${service.pid}/fd`;
      const copies = ['', '-wal'].map((end) => {
        const fd = readdirSync(open).find((name) => {
          try {
            return readlinkSync(join(open, name)) === `${file}${end} (deleted)`;
          } catch {
            return false;
          }
        });
        copyFileSync(join(open, fd!), `${file}-copy${end}`);
        return end;
      });
      await service.stop();
      for (const end of copies) renameSync(`${file}-copy${end}`, `${file}${end}`);
      await service.start();
      const { body } = await new Client(service.url, apiKey).get('/v1/admin/orgs?limit=100');
      for (const name of acknowledged) expect(JSON.stringify(body)).toContain(`"${name}"`);
    },
  );

  it('is noticed after a move of its folder, and nothing is lost when it is moved back', async () => {
    const { service, world, file } = await running();
    const data = join(service.directory, 'data');
    renameSync(data, `${data}-away`);
    await untilRefused(world);
    await expectReported(service, file);
    await service.stop();
    rmSync(data, { recursive: true, force: true });
    renameSync(`${data}-away`, data);
    await service.start();
  });

  it('is noticed by a probe alone, without a write, if another file takes its place', async () => {
    const { service, file } = await running();
    renameSync(file, `${file}-away`);
    writeFileSync(file, '');
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503);
    await expectReported(service, file);
  });
});
