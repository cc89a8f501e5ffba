import type { JobState } from './health-reads.port.ts';

/** How often a worker says which jobs it looks after, ms. */
export const BEAT_MS = 5_000;
/** Missed intervals after which a job is late. */
const MISSED = 3;
/** Of a database that no worker has used yet, ms. */
const GRACE_MS = 3 * BEAT_MS;

export const isLate = ({ everyMs, seenAgoMs }: JobState): boolean =>
  seenAgoMs > MISSED * Math.max(everyMs, BEAT_MS);

/** Whether nobody does what is to be done in the background. */
export const areWorkersLate = (jobs: readonly JobState[], uptimeMs: number): boolean =>
  jobs.length === 0 ? uptimeMs > GRACE_MS : jobs.some(isLate);
