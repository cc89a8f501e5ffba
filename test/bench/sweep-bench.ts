import { rmSync } from 'node:fs';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { Client, createWorld, ok, type World } from '../support/service/world.ts';
import type { Load } from './load.ts';
import { growChains, notarize } from './notarize.ts';
import type { Row } from './table.ts';

const GROWN = 10_000;
const SLICE_SECONDS = 2;
const MAX_SLICES = 60;
/** Slices before the jobs begin, and after they ended. */
const QUIET = 4;

/**
 * What others notice of a sweep: the p99 of notarize while the checkpoints of 10,000 grown chains are made and anchored,
 * beside the p99 of the same process when nothing else runs.
 */
export const measureSweep = async (): Promise<readonly Row[]> => {
  // Without jobs nothing is covered yet when the second start finds all of it at once.
  const env: Record<string, string> = { ROLE: 'api' };
  const service = new ServiceProcess(env);
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    await growChains(world.principal.client, GROWN);
    await service.stop();
    env['ROLE'] = 'all';
    await service.start();
    return rowsOf(await slices(placeAt(world, service.url)));
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};

interface Slice extends Load {
  /** Whether checkpoints or anchors were made meanwhile. */
  readonly isSweep: boolean;
}

interface Place {
  readonly principal: Client;
  readonly platform: Client;
}

const placeAt = (world: World, url: string): Place => ({
  principal: new Client(url, world.principal.client.key),
  platform: new Client(url, world.platform.key),
});

/** From the start of the process until the round and the sweep are done, and a little longer. */
const slices = async (place: Place): Promise<readonly Slice[]> => {
  const found: Slice[] = [];
  let before = await progress(place);
  let quietAtTheEnd = 0;
  while (found.length < MAX_SLICES && quietAtTheEnd < QUIET) {
    const slice = await notarize(place.principal, SLICE_SECONDS);
    const after = await progress(place);
    const isSweep = after.checkpoints !== before.checkpoints || after.anchors !== before.anchors;
    found.push({ ...slice, isSweep });
    if (after.anchors > 0 && !isSweep) quietAtTheEnd++;
    before = after;
  }
  return found;
};

const progress = async ({ platform }: Place): Promise<{ checkpoints: number; anchors: number }> => {
  const { data } = await ok(platform.get('/v1/audit-vault/checkpoints?limit=1'));
  const { total } = await ok(platform.get(`/v1/admin/vault/anchors?recordId=${PLATFORM_CHAIN}`));
  return { checkpoints: Number(data[0]?.logIndex ?? -1), anchors: Number(total) };
};

const rowsOf = (found: readonly Slice[]): readonly Row[] => {
  const quiet = found.filter(({ isSweep }) => !isSweep);
  const during = found.filter(({ isSweep }) => isSweep);
  if (quiet.length === 0 || during.length === 0)
    throw new Error('the sweep of the bench did not come to its end');
  const row = (what: string, part: readonly Slice[]): Row => ({
    what,
    perSecond: median(part.map(({ perSecond }) => perSecond)),
    p50: median(part.map(({ p50 }) => p50)),
    p99: median(part.map(({ p99 }) => p99)),
    ...(part.some(({ failures }) => failures > 0) ? { note: 'SOME FAILED' } : {}),
  });
  const idle = row('SQLite: notarize, no sweep under way', quiet);
  const busy = row(
    `SQLite: notarize during a sweep of ${GROWN.toLocaleString('en')} grown chains, ${during.length * SLICE_SECONDS} s`,
    during,
  );
  return [idle, { ...busy, ratio: busy.p99! / idle.p99!, of: 'p99 without one; at most 1.5' }];
};

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
