/** Nothing came in the time that there was. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(ms: number) {
    super(`nothing came within ${Math.round(ms)} ms`);
  }
}

/** The longest that a timer of a runtime can wait: one that is set to more ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const timerOf = (ms: number): number => Math.min(MAX_TIMER_MS, ms);

/** Runs work under a signal that the caller's signal ends, or the time. What listens is taken away again: a signal may outlive many calls. */
export const within = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => controller.abort(new TimedOut(ms)), timerOf(ms));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
};

/** @throws the reason of the signal, as soon as it ends. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, timerOf(ms));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
