import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Load } from './load.ts';

/**
 * Load by [wrk](https://github.com/wg/wrk), where it is installed: a generator in JavaScript takes up to a whole one
 * of the cores that the service it measures runs on.
 */
export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

export interface WrkLoad {
  readonly url: string;
  /** In test/bench/wrk, with what it reads of the environment. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Seconds. */
  readonly duration: number;
}

/** Keep-alive load; what is not a 2xx is a failure. `each` is how many requests make one unit of work. */
export const loadByWrk = async (options: WrkLoad, each: number): Promise<Load> => {
  const { stdout } = await promisify(execFile)(
    'wrk',
    [
      '--threads=1',
      `--connections=${options.connections}`,
      // It takes whole seconds, and counts from the first half second on.
      `--duration=${Math.max(2, Math.round(options.duration))}s`,
      '--timeout=30s',
      `--script=test/bench/wrk/${options.script}.lua`,
      ...Object.entries(options.headers).map(([name, value]) => `--header=${name}: ${value}`),
      options.url,
    ],
    { env: { PATH: process.env['PATH'], ...options.env } },
  );
  const figures = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Figures;
  return {
    perSecond: (figures.requests - figures.refused) / each / figures.seconds,
    p50: figures.p50,
    p99: figures.p99,
    longest: figures.longest,
    failures: figures.refused + figures.broken,
  };
};

/** What figures.lua writes; times of answers in milliseconds. */
interface Figures {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly refused: number;
  readonly broken: number;
}
