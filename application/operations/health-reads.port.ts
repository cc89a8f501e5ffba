import type { AnchorSweepState } from '../../domain/vault/anchor-log.port.ts';

/** A background job, as the workers recorded it. Ages are by the clock of the database. */
export interface JobState {
  readonly name: string;
  readonly everyMs: number;
  /** Since a worker last looked whether it is needed. */
  readonly seenAgoMs: number;
  readonly isRunning: boolean;
  /** ISO 8601 with milliseconds; null before the first run. */
  readonly lastStartedAt: string | null;
  readonly lastDurationMs: number | null;
  readonly lastFailure: string | null;
}

/** Something that waits to be done, in another order of things than jobs. */
export interface QueueState {
  /** Counted up to 10,000. */
  readonly depth: number;
  /** Of what waits longest; 0 where nothing does, or where nobody knows. */
  readonly oldestMs: number;
}

export const QUEUES = [
  'events_unnumbered',
  'webhook_retries',
  'webhook_dead_letters',
  'federation_outgoing',
  'federation_stopped',
  'compliance_exports',
  'vault_scans',
  'siem_file',
  'siem_collector',
] as const;
export type QueueName = (typeof QUEUES)[number];

export interface BreakerCounts {
  readonly webhookOpen: number;
  readonly webhookHalfOpen: number;
  readonly peerOpen: number;
}

export interface HealthFacts {
  /** By the clock of the database. */
  readonly now: string;
  readonly jobs: readonly JobState[];
  readonly queues: Readonly<Record<QueueName, QueueState>>;
  readonly breakers: BreakerCounts;
  readonly anchors: AnchorSweepState;
}

/** What the database knows of how the service does. Each look answers or rejects within a second, also with the database away. */
export interface HealthReads {
  facts(): Promise<HealthFacts>;
  /** The jobs alone. */
  jobs(): Promise<readonly JobState[]>;
}
