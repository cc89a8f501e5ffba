import type { Log } from '../../application/log.port.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

export interface RunningJob {
  /** No further run starts; resolves when the one under way is done. */
  stop(): Promise<void>;
}

/** Runs a job again and again, never twice at once. A run that fails is logged, and the next one comes all the same. */
export const repeat = (job: Job, log: Log): RunningJob => {
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = job
      .run()
      .catch((error: unknown) => log.error({ job: job.name, err: error }, 'a job failed'))
      .finally(() => (busy = false));
  }, job.everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
