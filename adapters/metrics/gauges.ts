import { DEGRADED_REASON_CODES } from '../../application/operations/degraded-reasons.ts';
import { QUEUES, type HealthFacts } from '../../application/operations/health-reads.port.ts';
import type { HealthReport } from '../../application/operations/judge-health.ts';
import { isLate } from '../../application/operations/late-jobs.ts';
import type { ProcessFacts } from '../../application/operations/process-facts.port.ts';
import type { RecentFaults } from '../../application/operations/recent-faults.ts';

export interface PoolState {
  readonly used: number;
  readonly free: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** What is asked at each scrape. */
export interface GaugeSources {
  readonly build: { readonly version: string; readonly role: string };
  readonly process: ProcessFacts;
  readonly faults: Pick<RecentFaults, 'of'>;
  readonly pool: () => PoolState;
  /** Answers soon, if need be with what was known last; null before anything was. */
  readonly health: () => Promise<HealthReport | null>;
}

/** @param value null where there is nothing to show any more. */
export type SetGauge = (
  name: string,
  help: string,
  labels: Readonly<Record<string, string>>,
  value: number | null,
) => void;

export const setGauges = async (sources: GaugeSources, set: SetGauge): Promise<void> => {
  const report = await sources.health();
  setProcess(sources, set);
  set(
    'health_known',
    'Whether the database said how the service does; else the gauges of queues and jobs are absent or old',
    {},
    report?.facts ? 1 : 0,
  );
  if (report) {
    for (const reason of DEGRADED_REASON_CODES)
      set(
        'degraded',
        'Reasons of the closed table for which the service is degraded',
        { reason },
        report.reasons.includes(reason) ? 1 : 0,
      );
    if (report.facts) setFacts(report.facts, report.health.writeRefusal === null, set);
  }
};

const setProcess = ({ build, process, pool, faults }: GaugeSources, set: SetGauge): void => {
  const state = process.state();
  const { version, role } = build;
  set('build_info', 'The release that runs', { version, role, node: state.nodeVersion }, 1);
  set('uptime_seconds', 'Since the start of the process', {}, state.uptimeSeconds);
  set('resident_memory_bytes', 'Memory of the process', {}, state.residentBytes);
  set('heap_used_bytes', 'Of the JavaScript heap', {}, state.heapUsedBytes);
  set(
    'event_loop_delay_seconds',
    'The longest that the event loop kept others waiting since the last scrape',
    {},
    state.eventLoopDelayMs / 1000,
  );
  const connections = pool();
  for (const name of ['used', 'free', 'waiting'] as const)
    set(
      'database_connections',
      'Connections to the database, and callers that wait for one',
      { state: name },
      connections[name],
    );
  for (const fault of ['row_tampered', 'event_hole'] as const)
    set(
      'stored_faults',
      'Edits behind the service that this process met since its start',
      { fault },
      faults.of(fault).count,
    );
};

const setFacts = (
  { queues, breakers, jobs, anchors }: HealthFacts,
  /** A worker that cannot write looks like one that is missing. */
  canWrite: boolean,
  set: SetGauge,
): void => {
  for (const queue of QUEUES) {
    set('queue_depth', 'What waits, counted up to 10,000', { queue }, queues[queue].depth);
    set(
      'queue_oldest_seconds',
      'How long the oldest waits; 0 where none is overdue',
      { queue },
      queues[queue].oldestMs / 1000,
    );
  }
  const circuits = [
    ['webhook', 'open', breakers.webhookOpen],
    ['webhook', 'half_open', breakers.webhookHalfOpen],
    ['peer', 'open', breakers.peerOpen],
  ] as const;
  for (const [kind, state, count] of circuits)
    set('breakers', 'Breakers that failures opened', { kind, state }, count);
  for (const job of jobs) {
    // Prometheus has a label job of its own.
    const labels = { job_name: job.name };
    set(
      'job_seen_seconds',
      'Since a worker last looked after the job',
      labels,
      job.seenAgoMs / 1000,
    );
    set(
      'job_late',
      'Whether no worker looked after the job for three intervals',
      labels,
      canWrite && isLate(job) ? 1 : 0,
    );
    set(
      'job_failing',
      'Whether the last run of the job failed',
      labels,
      job.lastFailure === null ? 0 : 1,
    );
    set(
      'job_last_duration_seconds',
      'Of the last run; 0 before the first',
      labels,
      (job.lastDurationMs ?? 0) / 1000,
    );
  }
  set(
    'anchor_last_success_timestamp_seconds',
    'The last complete sweep of anchors; 0 before the first',
    {},
    anchors.lastSuccessAt === null ? 0 : Date.parse(anchors.lastSuccessAt) / 1000,
  );
  set('anchor_failures', 'Sweeps that failed since the last complete one', {}, anchors.failures);
  set(
    'anchor_pending',
    'Chains whose newest checkpoint was not anchored in the last sweep',
    {},
    anchors.pending,
  );
};
