import type { Log } from '../../application/ports/log.port.ts';
import type { JobLeases } from '../../application/ports/job-leases.port.ts';
import type { JobName } from '../../application/ports/job-names.ts';
import type { JobBeats } from './job-beats.ts';

export interface Job {
  readonly name: JobName;
  readonly everyMs: number;
  /** The longest time that a run should take. After that time another node may take over. */
  readonly leaseMs: number;
  /** A run goes on until it is stopped, and renews its lease itself. */
  readonly isEndless?: boolean;
  /** Whether there is work to do. It only reads, so an idle service writes nothing. */
  isNeeded(): Promise<boolean>;
  /** @param stopping aborted when the process stops: a long run ends early. */
  run(stopping: AbortSignal): Promise<unknown>;
}

export interface RunningJob {
  /** Starts no further run, and resolves when the current one is done. */
  stop(): Promise<void>;
}

/**
 * Runs a job repeatedly, on one node at a time. A failed run is logged, and the next run still
 * happens.
 */
export const repeat = (job: Job, leases: JobLeases, beats: JobBeats, log: Log): RunningJob => {
  beats.add(job);
  return repeatEverywhere(
    { ...job, run: (stopping) => idempotent(job, leases, beats, stopping) },
    log,
  );
};

/** The same in every process, without a lease. */
export const repeatEverywhere = (
  job: Pick<Job, 'everyMs' | 'run'> & { readonly name: string },
  log: Log,
): RunningJob => {
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  const stopping = new AbortController();
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = job
      .run(stopping.signal)
      .catch((error: unknown) => log.error({ job: job.name, err: error }, 'a job failed'))
      .finally(() => (busy = false));
  }, job.everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
};

const idempotent = async (
  job: Job,
  leases: JobLeases,
  beats: JobBeats,
  stopping: AbortSignal,
): Promise<void> => {
  const { name, leaseMs } = job;
  const isMine = (await job.isNeeded()) && (await leases.acquire(name, leaseMs));
  beats.looked(name);
  if (!isMine) return;
  const started = performance.now();
  const ended = (failure: string | null): Promise<void> =>
    leases.release(name, { durationMs: Math.round(performance.now() - started), failure });
  beats.began(name);
  try {
    await job.run(stopping);
  } catch (error) {
    await ended(error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    beats.ended(name);
    beats.looked(name);
  }
  await ended(null);
};
