import autocannon from 'autocannon';

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The slowest answer, ms. */
  readonly longest: number;
  readonly failures: number;
}

export const CONNECTIONS = 32;

/** Keep-alive load; what is not a 2xx is a failure. `each` is how many requests make one unit of work. */
export const load = async (
  options: Omit<autocannon.Options, 'connections'> & { readonly connections?: number },
  each = 1,
): Promise<Load> => {
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
