import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Preloaded, appends to the file LOOP_GAPS_INTO how long the main thread ran between two turns of its event loop, in ms, a line each. */
const WORTH_A_LINE_MS = 2;

const busyMs = () => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
};

if (isMainThread) {
  let last = busyMs();
  setInterval(() => {
    const now = busyMs();
    if (now - last > WORTH_A_LINE_MS)
      appendFileSync(process.env.LOOP_GAPS_INTO, `${(now - last).toFixed(1)}\n`);
    last = busyMs();
  }, 1).unref();
}
