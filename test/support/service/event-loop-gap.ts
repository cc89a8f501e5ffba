import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/** Shorter gaps are within every bound, on any core: they need no yardstick. */
const WORTH_A_YARDSTICK_MS = 40;
/** What the yardstick takes on the core on which the bounds were set. */
const YARDSTICK_MS = 75;

/**
 * The longest that this thread was busy between two turns of its event loop while `work` ran, in ms of the core on
 * which the bounds were set, seen by a ticker of 1 ms. Where the system tells the time that the thread had a core
 * (Linux), that is what counts: waiting for a core while other suites run is no fault of the service, and neither is
 * a slower core, so a long gap is held against what a fixed piece of work takes at that moment.
 */
export const longestGap = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = busyMs();
  const look = (): void => {
    const now = busyMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticker = setInterval(look, 1);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2));
    look();
  } finally {
    clearInterval(ticker);
  }
  return longest < WORTH_A_YARDSTICK_MS ? longest : longest / slowness();
};

/** How many times as long as on the core of the bounds this one takes now; a faster core changes no bound. */
export const slowness = (): number => {
  const began = busyMs();
  doFixedWork();
  return Math.max(1, (busyMs() - began) / YARDSTICK_MS);
};

/** A fixed piece of work, which takes `YARDSTICK_MS` on the core of the bounds. */
export const doFixedWork = (): void => {
  for (let round = 0; round < 10; round++) {
    const text = JSON.stringify(
      Array.from({ length: 10_000 }, (_, at) => ({ at, name: `n${at}` })),
    );
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest();
  }
};

/** How long this thread has had a core, in ms; where the system does not tell, the time. */
export const busyMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
};

/**
 * Sends prepared bytes and drops the answer unread but for its status: service and client share this thread, so
 * what the client does must not count.
 */
export const send = (
  url: string,
  key: string | null,
  path: string,
  body?: Uint8Array,
  method = body ? 'POST' : 'GET',
  extra: { readonly [name: string]: string } = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
    };
    const outgoing = request(
      `${url}${path}`,
      { method, headers: { ...headers, ...extra } },
      (incoming) => {
        incoming
          .resume()
          .on('end', () => resolve(incoming.statusCode ?? 0))
          .on('error', reject);
      },
    );
    outgoing.on('error', reject).end(body);
  });
