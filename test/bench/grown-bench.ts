/**
 * `npx tsx test/bench/grown-bench.ts FOLDER [ROUNDS]`: a store that grow-store.ts made, beside an empty one. Rates are
 * medians of rounds that alternate between the two; FOLDER grows by what is notarized.
 */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { residentMiB } from '../support/service/resident-memory.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { Client, createWorld, type World } from '../support/service/world.ts';
import { gatePath } from './gate-path.ts';
import type { GrownStore } from './grow-store.ts';
import type { Load } from './load.ts';
import { notarize } from './notarize.ts';
import { printTable, type Row } from './table.ts';

const SECONDS = 6;
/** What a listing, a reputation and an export may take, ms. */
const LIMIT_MS = 50;

const measureGrown = async (folder: string, rounds: number): Promise<readonly Row[]> => {
  const grown = JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')) as GrownStore;
  const bytes = statSync(join(folder, 'data', 'notary.sqlite')).size;
  const service = new ServiceProcess({}, folder);
  const empty = new ServiceProcess();
  try {
    const { apiKey } = await empty.bootstrap();
    await empty.start();
    const small = await createWorld(empty.url, apiKey);
    const readyMs = await service.start();
    const idleMiB = residentMiB(service.pid);
    const keys = [grown.platformKey, grown.adminKey, grown.principal.key];
    const clients = keys.map((key) => new Client(service.url, key));
    const world = {
      url: service.url,
      principal: { ...small.principal, id: grown.principal.id, client: clients[2]! },
    } as World;
    return [
      { what: `ready in ${Math.round(readyMs)} ms, ${Math.round(idleMiB)} MiB`, perSecond: 0 },
      { what: `${(bytes / 2 ** 30).toFixed(1)} GiB`, perSecond: 0 },
      ...(await answers(clients, grown)),
      ...(await beside('notarize', rounds, [small, world], (of) =>
        notarize(of.principal.client, SECONDS),
      )),
      ...(await beside('gate path', rounds, [small, world], (of) => gatePath(of, SECONDS))),
    ];
  } finally {
    // Whoever stops it otherwise reads all that it left, in search of secrets.
    await service.stop('SIGKILL');
    await empty.stop();
    rmSync(empty.directory, { recursive: true, force: true });
  }
};

/** How long each listing takes for each who may ask, a reputation, and exports of an old record and of a new one. */
const answers = async (clients: readonly Client[], grown: GrownStore): Promise<readonly Row[]> => {
  const [platform, , principal] = clients as readonly [Client, Client, Client];
  const rows: Row[] = [];
  for (const path of await listings(platform, grown))
    for (const [at, client] of clients.entries()) {
      const ms = await best(client, path);
      if (ms !== null) rows.push(timed(`${['platform', 'admin', 'agent'][at]}: ${path}`, ms));
    }
  rows.sort((a, b) => b.p50! - a.p50!);
  const reputation = `/v1/agents/${grown.performer.id}/reputation`;
  const exports = grown.records.map((id) => `/v1/records/${id}/audit-export`);
  for (const path of [reputation, ...exports])
    rows.push(timed(path, (await best(principal, path)) ?? Number.NaN));
  return rows;
};

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Every path of the service that answers in pages, with its parameters filled in as far as the store has what they name. */
const listings = async (platform: Client, grown: GrownStore): Promise<readonly string[]> => {
  const { paths, components } = (await platform.get('/docs/openapi.json'))
    .body as unknown as OpenApi;
  const nameOf = ({ name, $ref }: Parameter): string | undefined =>
    name ?? components.parameters[$ref!.split('/').at(-1)!]?.name;
  const known: Readonly<Record<string, string>> = {
    '{recordId}': grown.records[0]!,
    '{id}': grown.records[0]!,
    '{agentId}': grown.performer.id,
    '{orgId}': grown.orgId,
  };
  const pages = Object.entries(paths).filter(([, { get }]) =>
    get?.parameters?.some((parameter) => nameOf(parameter) === 'limit'),
  );
  const filled = pages.map(([path]) =>
    path.replaceAll(/\{\w+\}/g, (name) => known[name] ?? name).concat('?limit=50'),
  );
  const filters = ['status=FULFILLED', 'status=ACTIVE', 'type=job', 'type=absent'];
  return [
    ...filled.filter((path) => !path.includes('{')),
    ...filters.map((filter) => `/v1/records?limit=50&${filter}`),
  ];
};

/** The best of five, ms; null where the caller may not ask. */
const best = async (client: Client, path: string): Promise<number | null> => {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const begun = performance.now();
    const { status } = await client.get(path);
    if (status !== 200) return null;
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
};

const timed = (what: string, ms: number): Row => ({
  what,
  perSecond: 1000 / ms,
  p50: ms,
  ratio: ms / LIMIT_MS,
  of: `${LIMIT_MS} ms; at most 1`,
});

const beside = async (
  what: string,
  rounds: number,
  [small, grown]: readonly [World, World],
  run: (world: World) => Promise<Load>,
): Promise<readonly Row[]> => {
  const loads: { readonly small: Load; readonly grown: Load }[] = [];
  for (let round = 0; round < rounds; round++)
    loads.push({ small: await run(small), grown: await run(grown) });
  const [before, after] = [median(loads.map((l) => l.small)), median(loads.map((l) => l.grown))];
  return [
    rowOf(`${what}, empty store`, before),
    {
      ...rowOf(`${what}, grown store`, after),
      ratio: after.perSecond / before.perSecond,
      of: 'empty',
    },
  ];
};

const median = (loads: readonly Load[]): Load =>
  loads.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(loads.length / 2)]!;

const rowOf = (what: string, { perSecond, p50, p99, failures }: Load): Row => ({
  what,
  perSecond,
  p50,
  p99,
  ...(failures > 0 ? { note: `${failures} FAILED` } : {}),
});

const [folder, rounds = '5'] = process.argv.slice(2);
if (!folder) throw new Error('name the FOLDER of a grown store');
printTable(await measureGrown(folder, Number(rounds)));
