import { rmSync } from 'node:fs';
import { residentMiB } from '../support/service/resident-memory.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type World } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import { gatePath } from './gate-path.ts';
import { CONNECTIONS, load, type Load } from './load.ts';
import { notarize } from './notarize.ts';
import type { Row } from './table.ts';

export interface ServiceBench {
  readonly name: string;
  readonly mysqlUrl?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly limits: { readonly http: number; readonly inserts: number; readonly sign: number };
}

/** Starts the real service and loads it over HTTP: notarize, the gate path, a read; and what it takes when idle. */
export const measureService = async (bench: ServiceBench): Promise<readonly Row[]> => {
  const database = bench.mysqlUrl ? await benchDatabase(bench.mysqlUrl) : null;
  const service = new ServiceProcess({
    ...database?.env,
    ...bench.env,
  });
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    await service.stop();
    const readyMs = await service.start();
    const idleMiB = residentMiB(service.pid);
    const world = await createWorld(service.url, apiKey);
    const record = await ok(
      world.principal.client.post('/v1/records', {
        type: 'note',
        criteria: { text: 'x'.repeat(900) },
      }),
    );
    const notarized = await notarize(world.principal.client, bench.seconds);
    const crowded = await notarize(world.principal.client, bench.seconds / 2, 64);
    const gated = await gatePath(world, bench.seconds);
    const read = await load({
      url: `${world.url}/v1/records/${record['id']}`,
      duration: bench.seconds / 2,
      headers: bearer(world),
    });
    return [
      {
        ...rowOf(`${bench.name}: notarize, ${CONNECTIONS} connections`, notarized),
        ratio: notarized.perSecond / composed(bench.limits, { calls: 1, entries: 1 }),
        of: 'one request, one signature and one insert on these cores',
      },
      {
        ...rowOf(`${bench.name}: notarize, 64 connections`, crowded),
        ratio: crowded.perSecond / composed(bench.limits, { calls: 1, entries: 1 }),
        of: 'the same',
      },
      {
        ...rowOf(`${bench.name}: gate path (open, complete, verdict)`, gated),
        ratio: gated.perSecond / composed(bench.limits, { calls: 3, entries: 4 }),
        of: 'three requests, four signatures and three inserts',
      },
      {
        ...rowOf(`${bench.name}: GET of a record`, read),
        ratio: read.perSecond / bench.limits.http,
        of: 'raw HTTP',
      },
      {
        what: `${bench.name}: ready in ${Math.round(readyMs)} ms, ${Math.round(idleMiB)} MiB when idle`,
        perSecond: 0,
      },
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
    await database?.drop();
  }
};

/** How often a second the parts could be done one after the other, were there nothing else to do. */
const composed = (
  { http, sign, inserts }: ServiceBench['limits'],
  { calls, entries }: { readonly calls: number; readonly entries: number },
): number => 1 / (calls / http + entries / sign + calls / inserts);

const rowOf = (what: string, { perSecond, p50, p99, failures }: Load): Row => ({
  what,
  perSecond,
  p50,
  p99,
  ...(failures > 0 ? { note: `${failures} FAILED` } : {}),
});

const bearer = (world: World): Record<string, string> => ({
  authorization: `Bearer ${world.principal.client.key}`,
});
