import { rmSync } from 'node:fs';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import type { Load } from './load.ts';
import { growChains, notarize } from './notarize.ts';
import type { Row } from './table.ts';

const GROWN = 10_000;
const SLICE_SECONDS = 2;
/** Writers that notice every pause; and so many that chains are begun as fast as checkpoints are made. */
const WRITERS = [2, 32];
/** The longest that a write may wait, ms. */
const LIMIT = 500;

/**
 * What writers notice of a rotation of the signing key after which every one of 10,000 chains has to be covered: the slowest
 * notarize meanwhile, beside the slowest one of the same process before.
 */
export const measureRotation = async (name: string, mysqlUrl?: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const writers of WRITERS) rows.push(...(await rotateBeside(writers, name, mysqlUrl)));
  return rows;
};

const rotateBeside = async (
  writers: number,
  name: string,
  mysqlUrl?: string,
): Promise<readonly Row[]> => {
  const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
  // Without jobs nothing is covered when the rotation begins.
  const service = new ServiceProcess({ ...database?.env, ROLE: 'api' });
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { principal, platform } = await createWorld(service.url, apiKey);
    await growChains(principal.client, GROWN);
    const work = (): Promise<Load> => notarize(principal.client, SLICE_SECONDS, writers);
    await work();
    const before = [await work(), await work()];
    let isOver = false;
    const begun = performance.now();
    const rotated = platform.post('/v1/admin/vault/signing-keys/rotate').then((answer) => {
      isOver = true;
      return { answer, seconds: ((performance.now() - begun) / 1000).toFixed(1) };
    });
    const during: Load[] = [];
    while (!isOver) during.push(await work());
    const { answer, seconds } = await rotated;
    await ok(Promise.resolve(answer));
    const idle = row(`${name}: notarize by ${writers}, no rotation`, before);
    const busy = row(
      `${name}: notarize by ${writers} during a rotation over ${GROWN.toLocaleString('en')} grown chains, ${seconds} s`,
      during,
    );
    return [
      { ...idle, note: `slowest ${longest(before)} ms` },
      {
        ...busy,
        ratio: longest(during) / LIMIT,
        of: `${LIMIT} ms, the slowest ${longest(during)} ms; at most 1`,
      },
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
    await database?.drop();
  }
};

const longest = (loads: readonly Load[]): number => Math.max(...loads.map((one) => one.longest));

const row = (what: string, loads: readonly Load[]): Row => ({
  what,
  perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0) / loads.length,
  p50: Math.max(...loads.map(({ p50 }) => p50)),
  p99: Math.max(...loads.map(({ p99 }) => p99)),
  ...(loads.some(({ failures }) => failures > 0) ? { note: 'SOME FAILED' } : {}),
});
