import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ServiceProcess, type Program } from '../support/service-process.ts';
import { createWorld, type World } from '../support/world.ts';
import { benchDatabase } from './bench-database.ts';
import type { Load } from './load.ts';
import { notarize } from './notarize.ts';
import type { Row } from './table.ts';

/** So often at once, and so often in turns. */
const ROUNDS = 12;
/** What the specification demands of the rate. */
const LIMIT = 0.9;

export interface TracesBench {
  readonly name: string;
  readonly seconds: number;
  readonly mysqlUrl?: string;
  /** Left out: what was built here. */
  readonly program?: Program;
}

/**
 * What it costs a notarization that its trace is told, each with its two spans, and that the metrics are read meanwhile: two
 * services, of which one does neither. The processor time of their processes is compared where both are loaded at once, so
 * that whoever else uses the machine disturbs both alike; what they do in a second where one is, in turns.
 */
export const measureTraces = async (bench: TracesBench): Promise<readonly Row[]> => {
  const collector = await startCollector();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` };
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const plain = await serve(bench, {}, ends);
    const traced = await serve(bench, endpoint, ends);
    const seconds = bench.seconds / 4;
    for (const one of [plain, traced]) await underLoad(one, seconds);
    const before = await collector.spans();
    const read = (): Promise<string> =>
      fetch(`${traced.world.url}/metrics`).then((answer) => answer.text());
    const atOnce: Round[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const metrics = read();
      const [ofPlain, ofTraced] = await Promise.all([
        underLoad(plain, seconds),
        underLoad(traced, seconds),
      ]);
      atOnce.push({ plain: ofPlain, traced: ofTraced });
      await metrics;
    }
    const inTurns: Round[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const metrics = read();
      const order = n % 2 === 0 ? [plain, traced] : [traced, plain];
      const [first, second] = [
        await underLoad(order[0]!, seconds),
        await underLoad(order[1]!, seconds),
      ];
      inTurns.push(
        n % 2 === 0 ? { plain: first, traced: second } : { plain: second, traced: first },
      );
      await metrics;
    }
    const told = (await collector.spans()) - before;
    return rowsOf(bench.name, { atOnce, inTurns }, told);
  } finally {
    for (const end of ends.reverse()) await end();
    collector.stop();
  }
};

interface Served {
  readonly world: World;
  readonly service: ServiceProcess;
}

interface Measured extends Load {
  /** Of the process, ms. */
  readonly processorTime: number;
}

interface Round {
  readonly plain: Measured;
  readonly traced: Measured;
}

interface Rounds {
  readonly atOnce: readonly Round[];
  readonly inTurns: readonly Round[];
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

const underLoad = async ({ world, service }: Served, seconds: number): Promise<Measured> => {
  const begun = processorTime(service.pid);
  const done = await notarize(world.principal.client, seconds);
  const took = processorTime(service.pid) - begun;
  return { ...done, processorTime: took / (done.perSecond * seconds) };
};

/** With all threads, ms: columns 14 and 15 of proc_pid_stat(5), in hundredths of a second. */
const processorTime = (pid: number): number => {
  const columns = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(columns[11]) + Number(columns[12])) * 10;
};

const rowsOf = (name: string, { atOnce, inTurns }: Rounds, told: number): readonly Row[] => {
  const [plain, traced] = (['plain', 'traced'] as const).map((which) => {
    const failures = [...atOnce, ...inTurns].reduce((sum, one) => sum + one[which].failures, 0);
    const time = median(atOnce.map((one) => one[which].processorTime));
    return {
      perSecond: median(inTurns.map((one) => one[which].perSecond)),
      note: `${Math.round(time * 1000)} µs of processor time each${failures > 0 ? `, ${failures} FAILED` : ''}`,
    };
  });
  const byTime = atOnce.map((one) => one.plain.processorTime / one.traced.processorTime);
  const byRate = inTurns.map((one) => one.traced.perSecond / one.plain.perSecond);
  const share = (ratios: readonly number[]): Omit<Row, 'what'> => ({
    perSecond: 0,
    ratio: median(ratios),
    of: `the rate without (limit ${LIMIT})`,
    note: `mean ${mean(ratios).toFixed(3)}, ${ROUNDS} rounds from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`,
  });
  const what = `${name}: notarize with metrics and traces`;
  return [
    { what: `${name}: notarize without metrics and traces`, ...plain! },
    { what: `${what}, ${told} spans told`, ...traced! },
    { what: `${what}, share of the rate without, by processor time`, ...share(byTime) },
    { what: `${what}, share of the rate without, in turns`, ...share(byRate) },
  ];
};

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return (low + high) / 2;
};
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

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
