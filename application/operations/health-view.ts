import { Type, type Static } from 'typebox';
import { nullable, oneOf, orNull, Timestamp } from '../call/schemas.ts';
import { DEGRADED_REASON_CODES, DEGRADED_REASONS } from './degraded-reasons.ts';
import type { SystemHealth } from './get-system-health.ts';
import type { OpsSummary } from './get-ops-summary.ts';
import { QUEUES, type JobState } from './health-reads.port.ts';
import type { HealthReport } from './judge-health.ts';
import { isLate } from './late-jobs.ts';

const Standing = oneOf(['ok', 'degraded']);
const ReasonSchema = Type.Object({
  code: oneOf(DEGRADED_REASON_CODES),
  severity: oneOf(['critical', 'warning']),
  detail: Type.String(),
  suggestion: Type.String(),
});
const JobSchema = Type.Object({
  name: Type.String(),
  status: oneOf(['ok', 'late', 'failing']),
  everySeconds: Type.Number(),
  lastSeenSecondsAgo: Type.Number({
    description: 'Since a worker last looked whether there is work to do',
  }),
  running: Type.Boolean(),
  lastStartedAt: nullable(Timestamp),
  lastDurationMs: nullable(Type.Integer()),
  lastFailure: nullable(Type.String()),
});
const QueueSchema = Type.Object({
  depth: Type.Integer({ description: 'Counted up to 10,000' }),
  oldestSeconds: Type.Number({ description: 'How long the oldest waits; 0 where none is overdue' }),
});
const BreakersSchema = Type.Object({
  webhookOpen: Type.Integer(),
  webhookHalfOpen: Type.Integer(),
  peerOpen: Type.Integer(),
});

export const SystemHealthSchema = Type.Object({
  status: Standing,
  degradedReasons: Type.Array(ReasonSchema, {
    description: 'Of one closed table; empty where all is well',
  }),
  uptime: Type.Number({ description: 'Seconds' }),
  database: Type.Object({ reachable: Type.Boolean(), migrated: Type.Boolean() }),
  queues: orNull(
    Type.Object(Object.fromEntries(QUEUES.map((name) => [name, QueueSchema])), {
      description: 'Null where the database does not say',
    }),
  ),
  breakers: orNull(BreakersSchema),
  workers: Type.Object({
    status: oneOf(['ok', 'degraded', 'unknown']),
    jobs: Type.Array(JobSchema),
  }),
  webhookDeadLetters: nullable(Type.Integer({ description: 'Counted up to 10,000' })),
  process: Type.Object({
    pid: Type.Integer(),
    nodeVersion: Type.String(),
    residentBytes: Type.Integer(),
    heapUsedBytes: Type.Integer(),
    eventLoopDelayMs: Type.Number({ description: 'The longest since the last look' }),
  }),
});

export const systemHealthView = (health: SystemHealth): Static<typeof SystemHealthSchema> => {
  const { facts } = health;
  const { pid, nodeVersion, residentBytes, heapUsedBytes, eventLoopDelayMs } = health.process;
  return {
    ...standing(health),
    uptime: health.health.uptimeSeconds,
    database: { reachable: health.health.database, migrated: health.health.migrations },
    queues:
      facts &&
      Object.fromEntries(
        QUEUES.map((name) => {
          const { depth, oldestMs } = facts.queues[name];
          return [name, { depth, oldestSeconds: seconds(oldestMs) }];
        }),
      ),
    breakers: facts && { ...facts.breakers },
    workers: {
      status:
        !facts || health.health.writeRefusal !== null
          ? 'unknown'
          : health.areWorkersLate
            ? 'degraded'
            : 'ok',
      jobs: (facts?.jobs ?? []).map(jobView),
    },
    webhookDeadLetters: facts?.queues.webhook_dead_letters.depth ?? null,
    process: { pid, nodeVersion, residentBytes, heapUsedBytes, eventLoopDelayMs },
  };
};

export const OpsSummarySchema = Type.Object({
  status: Standing,
  degradedReasons: Type.Array(ReasonSchema),
  uptime: Type.Number({ description: 'Seconds' }),
  vault: Type.Object({
    hubId: Type.String(),
    signingKeyId: Type.String(),
    fingerprint: Type.String({ description: 'What auditors pin' }),
    algorithm: oneOf(['Ed25519', 'ES256']),
    keys: Type.Integer({ description: 'Of the succession, the active one among them' }),
    rewoundChains: Type.Integer(),
    newestCheckpointAt: nullable(Timestamp),
    anchoring: Type.Object({
      backend: oneOf(['filesystem', 's3', 'none']),
      intervalMinutes: Type.Integer(),
      lastSweepAt: nullable(Timestamp),
      lastSuccessAt: nullable(Timestamp),
      pending: Type.Integer(),
      failures: Type.Integer(),
      lastVerify: orNull(
        Type.Object({ at: Timestamp, checked: Type.Integer(), mismatches: Type.Integer() }),
      ),
    }),
  }),
});

export const opsSummaryView = (summary: OpsSummary): Static<typeof OpsSummarySchema> => {
  const { keyId, anchoring, ...vault } = summary.vault;
  const { backend, intervalMinutes, lastSweepAt, lastSuccessAt, pending, failures, lastVerify } =
    anchoring;
  return {
    ...standing(summary),
    uptime: summary.health.uptimeSeconds,
    vault: {
      hubId: vault.hubId,
      signingKeyId: keyId,
      fingerprint: vault.fingerprint,
      algorithm: vault.algorithm,
      keys: vault.keys,
      rewoundChains: vault.rewoundChains,
      newestCheckpointAt: vault.newestCheckpointAt,
      anchoring: {
        backend,
        intervalMinutes,
        lastSweepAt,
        lastSuccessAt,
        pending,
        failures,
        lastVerify: lastVerify && { ...lastVerify },
      },
    },
  };
};

type Reason = Static<typeof ReasonSchema>;

const standing = ({
  reasons,
}: HealthReport): { status: 'ok' | 'degraded'; degradedReasons: Reason[] } => ({
  status: reasons.length === 0 ? 'ok' : 'degraded',
  degradedReasons: reasons.map((code) => {
    const { severity, says, cure } = DEGRADED_REASONS[code];
    return { code, severity, detail: says, suggestion: cure };
  }),
});

const jobView = (job: JobState): Static<typeof JobSchema> => ({
  name: job.name,
  status: isLate(job) ? 'late' : job.lastFailure === null ? 'ok' : 'failing',
  everySeconds: seconds(job.everyMs),
  lastSeenSecondsAgo: seconds(job.seenAgoMs),
  running: job.isRunning,
  lastStartedAt: job.lastStartedAt,
  lastDurationMs: job.lastDurationMs,
  lastFailure: job.lastFailure,
});

const seconds = (ms: number): number => Math.round(ms) / 1000;
