import type {
  BreakerCounts,
  HealthFacts,
  HealthReads,
  JobState,
  QueueName,
  QueueState,
} from '../../../application/operations/health-reads.port.ts';
import { JOB_NAMES } from '../../../application/ports/job-names.ts';
import type { AnchorLog } from '../../../domain/vault/anchor-log.port.ts';
import type { Dialect } from '../base/dialect.ts';
import { MAX_LEASE_MS } from '../base/max-lease.ts';
import { SINK_IDS } from './sink-positions.ts';
import { firstOf, placeholders, type RawReader, type SqlValue } from '../base/session.ts';
import { Timely } from '../base/timely.ts';
import { timeFromSql, uuidToSql } from '../base/values.ts';

const WITHIN_MS = 900;
/** Rows that are counted at most: a look stays short, however long the queue. */
const MOST = 10_000;
/** A job that no worker has looked after for longer than this, while others are looked after, is of an earlier release, ms. */
const RETIRED_MS = 86_400_000;
/** No clock is ahead of that of the database by this much, ms: another hand wrote a later time. */
const AHEAD_MS = 60_000;

export class SqlHealthReads implements HealthReads {
  private readonly allFacts: Timely<HealthFacts>;
  private readonly allJobs: Timely<readonly JobState[]>;

  constructor(
    private readonly reader: RawReader,
    private readonly dialect: Dialect,
    private readonly anchors: Pick<AnchorLog, 'state'>,
  ) {
    this.allFacts = new Timely(() => this.look(), WITHIN_MS);
    this.allJobs = new Timely(async () => (await this.lookAtJobs()).jobs, WITHIN_MS);
  }

  facts(): Promise<HealthFacts> {
    return this.allFacts.take();
  }

  jobs(): Promise<readonly JobState[]> {
    return this.allJobs.take();
  }

  private async look(): Promise<HealthFacts> {
    const { now, jobs } = await this.lookAtJobs();
    const [queues, breakers, anchors] = await Promise.all([
      this.queues(now),
      this.breakers(now),
      this.anchors.state(),
    ]);
    return { now: timeFromSql(now), jobs, queues, breakers, anchors };
  }

  private async lookAtJobs(): Promise<{
    readonly now: number;
    readonly jobs: readonly JobState[];
  }> {
    const [clock] = await this.reader.all<{ readonly now: number }>(
      `SELECT ${this.dialect.now} AS now`,
      [],
    );
    const now = Number(clock?.now);
    const rows = await this.reader.all<JobRow>(
      `SELECT name, every_ms, seen_at, holder, lease_until, last_started_at, last_duration_ms, last_failure FROM jobs WHERE every_ms IS NOT NULL AND seen_at IS NOT NULL AND name IN (${placeholders(JOB_NAMES.length)}) ORDER BY name`,
      [...JOB_NAMES],
    );
    const isPast = ({ seen_at: at }: JobRow): boolean => Number(at) <= now + AHEAD_MS;
    const newest = Math.max(...rows.filter(isPast).map(({ seen_at: at }) => Number(at)));
    const current = rows.filter((row) => !isPast(row) || newest - Number(row.seen_at) < RETIRED_MS);
    return { now, jobs: current.map((row) => jobOf(row, now)) };
  }

  private async queues(now: number): Promise<Readonly<Record<QueueName, QueueState>>> {
    const { reader } = this;
    const queue = async (
      from: string,
      time: string,
      values: readonly SqlValue[] = [],
    ): Promise<QueueState> => {
      const [row] = await reader.all<{ readonly n: number; readonly oldest: number | null }>(
        `SELECT COUNT(*) AS n, MIN(at) AS oldest FROM (SELECT ${time} AS at FROM ${from} ORDER BY ${time} LIMIT ${MOST}) q`,
        values,
      );
      return { depth: Number(row?.n ?? 0), oldestMs: ageOf(row?.oldest ?? null, now) };
    };
    const [newest] = await reader.all<{ readonly sequence: number | null }>(
      'SELECT MAX(sequence) AS sequence FROM outbox',
      [],
    );
    const sink = (name: keyof typeof SINK_IDS): Promise<QueueState> =>
      this.behind(SINK_IDS[name], Number(newest?.sequence ?? 0), now);
    return {
      events_unnumbered: await queue('outbox WHERE sequence IS NULL', 'created_at'),
      // A time of 1 means at once, and says nothing of how long something waits.
      webhook_retries: await queue('webhook_readers WHERE due_at > 1', 'due_at'),
      webhook_dead_letters: await queue('webhook_dlq', 'created_at'),
      federation_outgoing: await queue("federation_outgoing WHERE in_lane = 'waits'", 'queued_at'),
      federation_stopped: await queue(
        'federation_lanes WHERE stopped_at IS NOT NULL',
        'stopped_at',
      ),
      compliance_exports: await queue(
        'compliance_exports WHERE in_flight IS NOT NULL',
        'created_at',
      ),
      vault_scans: await queue('vault_scans WHERE in_flight IS NOT NULL', 'created_at'),
      siem_file: await sink('file'),
      siem_collector: await sink('http'),
    };
  }

  /** Events that a sink does not have yet. */
  private async behind(id: string, newest: number, now: number): Promise<QueueState> {
    const [position] = await this.reader.all<{ readonly sequence: number }>(
      'SELECT sequence FROM siem_sinks WHERE id = ?',
      [uuidToSql(id)],
    );
    const sequence = Number(position?.sequence ?? 0);
    const [next] = await this.reader.all<{ readonly numbered_at: number | null }>(
      'SELECT numbered_at FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT 1',
      [sequence],
    );
    return next
      ? { depth: Math.max(0, newest - sequence), oldestMs: ageOf(next.numbered_at, now) }
      : { depth: 0, oldestMs: 0 };
  }

  private async breakers(now: number): Promise<BreakerCounts> {
    const [webhooks, peers] = await Promise.all([
      this.reader.all<{ readonly state: string; readonly n: number }>(
        `SELECT state, COUNT(*) AS n FROM (SELECT circuit_state AS state FROM webhook_readers WHERE due_at > 1 LIMIT ${MOST}) q WHERE state <> 'closed' GROUP BY state`,
        [],
      ),
      this.reader.all<{ readonly n: number }>(
        'SELECT COUNT(*) AS n FROM federation_breakers WHERE opened_at IS NOT NULL AND opened_at <= ?',
        [now],
      ),
    ]);
    const counted = (state: string): number =>
      Number(webhooks.find((row) => row.state === state)?.n ?? 0);
    return {
      webhookOpen: counted('open'),
      webhookHalfOpen: counted('half_open'),
      peerOpen: Number(firstOf(peers)?.n ?? 0),
    };
  }
}

interface JobRow {
  readonly name: string;
  readonly every_ms: number;
  readonly seen_at: number;
  readonly holder: string | null;
  readonly lease_until: number;
  readonly last_started_at: number | null;
  readonly last_duration_ms: number | null;
  readonly last_failure: string | null;
}

const jobOf = (row: JobRow, now: number): JobState => ({
  name: row.name,
  everyMs: Number(row.every_ms),
  // A time to come says nothing of when a worker was there, so it counts as never.
  seenAgoMs: Number(row.seen_at) > now + AHEAD_MS ? now : Math.max(0, now - Number(row.seen_at)),
  isRunning:
    row.holder !== null &&
    Number(row.lease_until) > now &&
    Number(row.lease_until) <= now + MAX_LEASE_MS,
  lastStartedAt: row.last_started_at === null ? null : timeFromSql(row.last_started_at),
  lastDurationMs: row.last_duration_ms === null ? null : Number(row.last_duration_ms),
  lastFailure: row.last_failure,
});

const ageOf = (time: number | null, now: number): number =>
  time === null ? 0 : Math.max(0, now - Number(time));
