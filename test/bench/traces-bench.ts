import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:http';
import { createInterface } from 'node:readline';
import { ServiceProcess, type Program } from '../support/service/service-process.ts';
import { createWorld, type World } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import { CONNECTIONS } from './load.ts';
import type { Row } from './table.ts';

/** Both services are loaded so often, in turns. */
const ROUNDS = 120;
/** Rounds that are not counted. */
const WARM_UP = 12;
/** Of a round: as many as make one batch of spans, two each. A machine that others use as well stays about the same for so long. */
const CALLS = 256;
/** Prometheus asks less often, ms. */
const METRICS_EVERY = 5_000;
const BODY = JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(960) } });
const agent = new Agent({ keepAlive: true });
/** What the specification demands of the rate. */
const LIMIT = 0.9;

export interface TracesBench {
  readonly name: string;
  readonly mysqlUrl?: string;
  /** Left out: what was built here. */
  readonly program?: Program;
}

/**
 * What it costs a notarization that its trace is told, each with its two spans, and that the metrics are read meanwhile: two
 * services, of which one does neither, in short turns.
 */
export const measureTraces = async (bench: TracesBench): Promise<readonly Row[]> => {
  const collector = await startCollector();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` };
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const plain = await serve(bench, {}, ends);
    const traced = await serve(bench, endpoint, ends);
    const metrics = readMetrics(traced.world.url);
    ends.push(metrics.stop);
    let before = 0;
    const rounds: Round[] = [];
    for (let n = -WARM_UP; n < ROUNDS; n++) {
      if (n === 0) before = await collector.spans();
      const one = await underLoad(n % 2 === 0 ? plain : traced);
      const other = await underLoad(n % 2 === 0 ? traced : plain);
      if (n < 0) continue;
      rounds.push(n % 2 === 0 ? { plain: one, traced: other } : { plain: other, traced: one });
    }
    const told = (await collector.spans()) - before;
    return rowsOf(bench.name, rounds, { told, reads: metrics.count() });
  } finally {
    for (const end of ends.reverse()) await end();
    collector.stop();
  }
};

interface Served {
  readonly world: World;
  readonly service: ServiceProcess;
}

interface Measured {
  readonly perSecond: number;
  readonly failures: number;
  /** Of the process, for each call, ms. */
  readonly processorTime: number;
}

interface Round {
  readonly plain: Measured;
  readonly traced: Measured;
}

const serve = async (
  { mysqlUrl, program }: TracesBench,
  env: Readonly<Record<string, string>>,
  ends: (() => Promise<unknown>)[],
): Promise<Served> => {
  const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
  const service = new ServiceProcess({ ...database?.env, ...env }, undefined, program);
  ends.push(async () => {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
    await database?.drop();
  });
  const { apiKey } = await service.bootstrap();
  await service.start();
  return { service, world: await createWorld(service.url, apiKey) };
};

const underLoad = async ({ world, service }: Served): Promise<Measured> => {
  const { url, key } = world.principal.client;
  const options: RequestOptions = {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
  };
  let [left, failures] = [CALLS, 0];
  const caller = async (): Promise<void> => {
    while (left-- > 0) if ((await post(`${url}/v1/records`, options)) !== 201) failures++;
  };
  const [time, begun] = [processorTime(service.pid), performance.now()];
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  return {
    failures,
    perSecond: (CALLS * 1000) / (performance.now() - begun),
    processorTime: (processorTime(service.pid) - time) / CALLS,
  };
};

/** The load of the other benches lasts whole seconds. */
const post = (url: string, options: RequestOptions): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(BODY);
  });

/** Of all threads, ms. */
const processorTime = (pid: number): number =>
  sum(
    readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .map((stat) => Number(stat.split(' ')[0]) / 1e6),
  );

const readMetrics = (url: string) => {
  let reads = 0;
  const read = async (): Promise<void> => {
    const answer = await fetch(`${url}/metrics`);
    if (answer.ok && (await answer.text()).includes('service_')) reads++;
  };
  let last = read();
  const timer = setInterval(() => {
    last = last.then(read);
  }, METRICS_EVERY);
  return {
    count: (): number => reads,
    stop: (): Promise<void> => {
      clearInterval(timer);
      return last;
    },
  };
};

const rowsOf = (
  name: string,
  rounds: readonly Round[],
  { told, reads }: { readonly told: number; readonly reads: number },
): readonly Row[] => {
  const times = (which: keyof Round): number[] => rounds.map((one) => one[which].processorTime);
  const rates = (which: keyof Round): number[] => rounds.map((one) => one[which].perSecond);
  const rowOf = (what: string, which: keyof Round, more = ''): Row => {
    const failures = sum(rounds.map((one) => one[which].failures));
    return {
      what,
      perSecond: median(rates(which)),
      note: `${Math.round(median(times(which)) * 1000)} µs of processor time each${more}${failures > 0 ? `, ${failures} FAILED` : ''}`,
    };
  };
  const share = (these: readonly number[], without: readonly number[]): Omit<Row, 'what'> => {
    const ratios = these.map((value, n) => value / without[n]!).toSorted((a, b) => a - b);
    const at = (part: number): string => ratios[Math.floor(part * (ROUNDS - 1))]!.toFixed(3);
    return {
      perSecond: 0,
      ratio: median(ratios),
      of: `the rate without (limit ${LIMIT})`,
      note: `median of ${ROUNDS} rounds, half of them ${at(0.25)} to ${at(0.75)}, of the medians ${(median(these) / median(without)).toFixed(3)}, of all together ${(sum(these) / sum(without)).toFixed(3)}`,
    };
  };
  const traced = `${name}: notarize with metrics and traces`;
  return [
    rowOf(`${name}: notarize without metrics and traces`, 'plain'),
    rowOf(traced, 'traced', `, ${told} spans told, metrics read ${reads} times`),
    {
      what: `${traced}, share by processor time`,
      ...share(times('plain'), times('traced')),
    },
    { what: `${traced}, share by time`, ...share(rates('traced'), rates('plain')) },
  ];
};

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return (low + high) / 2;
};
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** In a process of its own, so that its work is not that of the service. */
const startCollector = async () => {
  const path = new URL('./collector.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<number> => Number((await once(lines, 'line'))[0]);
  return {
    port: await next(),
    spans: (): Promise<number> => {
      child.stdin.write('\n');
      return next();
    },
    stop: (): void => void child.kill(),
  };
};
