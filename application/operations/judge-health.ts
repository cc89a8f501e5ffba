import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { LostRevocations } from '../vault/lost-revocations.ts';
import type { Vault } from '../sealing/vault.ts';
import type { CheckHealth, Health } from './check-health.ts';
import { DEGRADED_REASON_CODES, type DegradedReason } from './degraded-reasons.ts';
import type { HealthFacts, HealthReads, JobState, QueueName } from './health-reads.port.ts';
import { areWorkersLate, isLate } from './late-jobs.ts';
import type { RecentFaults } from './recent-faults.ts';
import type { SignerWatch } from './signer-watch.ts';

const SINK_BEHIND_MS = 60_000;
const LANE_BEHIND_MS = 300_000;
/** Intervals without a complete sweep after which anchors are late. */
const ANCHORS_MISSED = 3;

const QUEUE_OF_SINK = { file: 'siem_file', http: 'siem_collector' } as const;
const EMPTY = { depth: 0, oldestMs: 0 } as const;

/** What of the settings decides how health is judged. */
export interface HealthSettings {
  readonly sinks: readonly ('file' | 'http')[];
  /** Null where nothing is anchored. */
  readonly anchorEveryMs: number | null;
}

export interface HealthReport {
  readonly health: Health;
  readonly reasons: readonly DegradedReason[];
  /** Null where the database could not say. */
  readonly facts: HealthFacts | null;
  readonly areWorkersLate: boolean;
}

/** Judges by the closed table of reasons. Answers within 2 s, also with the database hanging. */
export class JudgeHealth {
  constructor(
    private readonly check: Pick<CheckHealth, 'execute'>,
    private readonly reads: HealthReads,
    private readonly signer: SignerWatch,
    private readonly faults: RecentFaults,
    private readonly rewinds: Pick<RewindGuard, 'findings' | 'isUncompared'>,
    private readonly revocations: Pick<LostRevocations, 'lost'>,
    private readonly vault: Pick<Vault, 'seal'>,
    private readonly settings: HealthSettings,
  ) {}

  async report(): Promise<HealthReport> {
    void this.signer.askAgain(() => this.vault.seal.signer);
    const [health, facts] = await Promise.all([
      this.check.execute(),
      this.reads.facts().then(
        (read) => this.withoutUnusedSinks(read),
        () => null,
      ),
    ]);
    const found = new Set<DegradedReason>([
      ...this.ofProcess(health),
      ...this.ofFacts(facts, health),
    ]);
    return {
      health,
      facts,
      reasons: DEGRADED_REASON_CODES.filter((code) => found.has(code)),
      areWorkersLate: found.has('job_late'),
    };
  }

  /** A sink that this service does not have gets no events, so none of them waits for it. */
  private withoutUnusedSinks(facts: HealthFacts): HealthFacts {
    const { sinks } = this.settings;
    const unused = (['file', 'http'] as const).filter((sink) => !sinks.includes(sink));
    const queues = unused.map((sink) => [QUEUE_OF_SINK[sink], EMPTY] as const);
    return { ...facts, queues: { ...facts.queues, ...Object.fromEntries(queues) } };
  }

  private *ofProcess(health: Health): Iterable<DegradedReason> {
    const { database, migrations, signer, writeRefusal } = health;
    if (!database && writeRefusal !== 'database_damaged') yield 'database_away';
    else if (database && !migrations) yield 'migrations_pending';
    if (writeRefusal !== null) yield writeRefusal;
    if (!signer || this.signer.isAway) yield 'signer_away';
    if (this.faults.isRecent('row_tampered')) yield 'row_tampered';
    if (this.faults.isRecent('event_hole')) yield 'event_hole';
    if (this.rewinds.findings.length > 0) yield 'chain_rewound';
    if (this.revocations.lost.length > 0) yield 'revocations_lost';
    if (this.rewinds.isUncompared) yield 'anchors_unread';
  }

  private *ofFacts(facts: HealthFacts | null, health: Health): Iterable<DegradedReason> {
    if (!facts) return;
    const { jobs, queues } = facts;
    const { uptimeSeconds, writeRefusal } = health;
    // A worker that cannot write down that it is there is not missing.
    if (writeRefusal === null && areWorkersLate(jobs, uptimeSeconds * 1000)) yield 'job_late';
    if (jobs.some((job) => hasFailed(job) && !isSink(job))) yield 'job_failing';
    if (this.areAnchorsLate(facts, uptimeSeconds)) yield 'anchor_late';
    if ((facts.anchors.lastVerify?.mismatches ?? 0) > 0) yield 'anchor_missing';
    for (const sink of this.settings.sinks) {
      if (queues[QUEUE_OF_SINK[sink]].oldestMs > SINK_BEHIND_MS) yield 'sink_behind';
      if (jobs.some((job) => job.name === `siem-${sink}-sink` && hasFailed(job)))
        yield 'sink_blocked';
    }
    const lanes: readonly QueueName[] = ['webhook_retries', 'federation_outgoing'];
    if (lanes.some((lane) => queues[lane].oldestMs > LANE_BEHIND_MS)) yield 'lane_behind';
    if (queues.federation_stopped.depth > 0) yield 'lane_blocked';
  }

  private areAnchorsLate({ anchors, now }: HealthFacts, uptimeSeconds: number): boolean {
    const { anchorEveryMs } = this.settings;
    const { lastSweepAt, lastSuccessAt } = anchors;
    if (anchorEveryMs === null || lastSweepAt === null) return false;
    const late = ANCHORS_MISSED * anchorEveryMs;
    // A service that was stopped for days sweeps at its next start, and is late only if it does not.
    if (uptimeSeconds * 1000 < late && anchors.failures === 0) return false;
    return lastSuccessAt === null || Date.parse(now) - Date.parse(lastSuccessAt) > late;
  }
}

/** The jobs that are late, for whoever shows them. */
export const lateJobs = (jobs: readonly JobState[]): readonly JobState[] => jobs.filter(isLate);

const hasFailed = ({ lastFailure }: JobState): boolean => lastFailure !== null;

const isSink = ({ name }: JobState): boolean => /^siem-\w+-sink$/.test(name);
