import autocannon from 'autocannon';
import { hasWrk, loadByWrk } from './wrk.ts';

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The slowest answer, ms. */
  readonly longest: number;
  readonly failures: number;
}

export const CONNECTIONS = 32;

/** One request over and over. */
export interface SameRequest {
  readonly url: string;
  /** Seconds. */
  readonly duration: number;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections?: number;
}

/** Keep-alive load, by wrk where it is installed; what is not a 2xx is a failure. */
export const load = (request: SameRequest): Promise<Load> => {
  const { url, duration, method = 'GET', headers, body, connections = CONNECTIONS } = request;
  if (!hasWrk) return loadInTurns(request, 1);
  const env = { BENCH_METHOD: method, ...(body === undefined ? {} : { BENCH_BODY: body }) };
  return loadByWrk({ url, duration, headers, connections, script: 'same-request', env }, 1);
};

/** The same by a generator in this process: requests that follow one another, or at a given rate. `each` is how many make one unit of work. */
export const loadInTurns = async (options: autocannon.Options, each: number): Promise<Load> => {
  const result = await autocannon({ connections: CONNECTIONS, ...options });
  const good = result['2xx'];
  return {
    perSecond: good / each / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    longest: result.latency.max,
    failures: result.non2xx + result.errors + result.timeouts,
  };
};
