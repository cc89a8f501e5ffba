import { rmSync } from 'node:fs';
import { completed } from '../support/service/scans.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Client, type World } from '../support/service/world.ts';
import type { Load } from './load.ts';
import { growChains, notarize } from './notarize.ts';
import type { Row } from './table.ts';

const GROWN = 10_000;
const ROUNDS = 3;
const LOAD_SECONDS = 6;

/**
 * Entries a second of a scan of the vault by the running service, rows compared, beside raw verification; and what others
 * notice of it: the p99 of notarize while scans follow each other, beside the p99 when none runs.
 */
export const measureScan = async (limit: number): Promise<readonly Row[]> => {
  const service = new ServiceProcess();
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    await growChains(world.principal.client, GROWN);
    let best = { perSecond: 0, durationMs: 0, chains: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { entries, chains, durationMs } = await scan(world.platform);
      const perSecond = (entries * 1000) / durationMs;
      if (perSecond > best.perSecond) best = { perSecond, durationMs, chains };
    }
    return [
      {
        what: `scan of ${best.chains.toLocaleString('en')} chains in ${best.durationMs} ms, entries with their rows`,
        perSecond: best.perSecond,
        ratio: best.perSecond / limit,
        of: 'raw Ed25519 verify',
      },
      ...(await beside(world)),
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};

const scan = async (
  platform: Client,
): Promise<{ entries: number; chains: number; durationMs: number }> => {
  const { jobId } = await ok(platform.post('/v1/admin/vault/scan'));
  const { result } = await completed(platform, jobId);
  if (result.broken > 0) throw new Error(JSON.stringify(result.brokenRecords[0]));
  return result;
};

const beside = async ({ principal, platform }: World): Promise<readonly Row[]> => {
  const work = (): Promise<Load> => notarize(principal.client, LOAD_SECONDS);
  await work();
  const idle = await work();
  const under = work();
  let isOver = false;
  void under.finally(() => (isOver = true));
  while (!isOver) await scan(platform);
  const busy = await under;
  const row = (what: string, { perSecond, p50, p99, failures }: Load): Row => ({
    what,
    perSecond,
    p50,
    p99,
    ...(failures > 0 ? { note: 'SOME FAILED' } : {}),
  });
  return [
    row('SQLite: notarize, no scan under way', idle),
    {
      ...row('SQLite: notarize while scans follow each other', busy),
      ratio: busy.p99 / idle.p99,
      of: 'p99 without one',
    },
  ];
};
