import { rmSync } from 'node:fs';
import { residentMiB } from '../support/resident-memory.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { createWorld, ok, type World } from '../support/world.ts';
import { benchDatabase } from './bench-database.ts';
import { CONNECTIONS, load, type Load } from './load.ts';
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
    const notarized = await notarize(world, bench.seconds);
    const gated = await gatePath(world, bench.seconds);
    const read = await load({
      url: `${world.url}/v1/records/${record['id']}`,
      duration: bench.seconds / 2,
      headers: bearer(world),
    });
    return [
      {
        ...rowOf(`${bench.name}: notarize, ${CONNECTIONS} connections`, notarized),
        ratio:
          notarized.perSecond /
          Math.min(bench.limits.http, bench.limits.inserts, bench.limits.sign),
        of: 'the tightest limit above',
      },
      {
        ...rowOf(`${bench.name}: gate path (open, complete, verdict)`, gated),
        ratio:
          (gated.perSecond * 3) /
          Math.min(bench.limits.http, bench.limits.inserts, bench.limits.sign),
        of: 'the same, three calls a record',
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

const notarize = (world: World, seconds: number): Promise<Load> =>
  load({
    url: `${world.url}/v1/records`,
    duration: seconds,
    method: 'POST',
    headers: { ...bearer(world), 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(960) } }),
  });

/** Each connection opens a record, delivers and judges it, and begins again. */
const gatePath = (world: World, seconds: number): Promise<Load> => {
  const headers = { ...bearer(world), 'content-type': 'application/json' };
  interface Flow {
    recordId?: string;
    completionId?: string;
  }
  const keep = (member: keyof Flow) => (_status: number, body: string, context: object) =>
    void ((context as Flow)[member] = (JSON.parse(body) as { id: string }).id);
  return load(
    {
      url: world.url,
      duration: seconds,
      requests: [
        {
          method: 'POST',
          path: '/v1/records',
          headers,
          body: JSON.stringify({
            type: 'job',
            criteria: { goal: 'x'.repeat(900), threshold: 1 },
            autoActivate: true,
          }),
          onResponse: keep('recordId'),
        },
        {
          method: 'POST',
          headers,
          setupRequest: (request, context) => ({
            ...request,
            path: `/v1/records/${(context as Flow).recordId}/completions`,
            body: JSON.stringify({ evidence: { score: 5, log: 'y'.repeat(900) } }),
          }),
          onResponse: keep('completionId'),
        },
        {
          method: 'POST',
          headers,
          setupRequest: (request, context) => ({
            ...request,
            path: `/v1/records/${(context as Flow).recordId}/verdict`,
            body: JSON.stringify({
              verdict: 'accept',
              completionId: (context as Flow).completionId,
            }),
          }),
        },
      ],
    },
    3,
  );
};

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
