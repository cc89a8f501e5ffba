import type { SharedLimits } from '../ports/rate-limiter.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { HealthReads } from './health-reads.port.ts';
import { areWorkersLate } from './late-jobs.ts';

/** Why the database takes no writes: its disk has no room left, it accepts reads only, or it is damaged. */
export type WriteRefusal = 'disk_full' | 'database_read_only' | 'database_damaged';

export interface Health {
  readonly database: boolean;
  /** Null if the database takes writes, or does not answer and is not known to be damaged. */
  readonly writeRefusal: WriteRefusal | null;
  readonly signer: boolean;
  readonly migrations: boolean;
  /** False where no worker has looked after some job for three of its intervals, or where that is not known. */
  readonly workers: boolean;
  /** False while rate limits that nodes share are counted by each for itself. Requests are served all the same. */
  readonly sharedLimits: boolean;
  readonly uptimeSeconds: number;
}

/** What /readyz reports. */
export const isReady = ({ database, writeRefusal, signer, migrations }: Health): boolean =>
  database && writeRefusal === null && signer && migrations;

/** What the probes ask. Each answers or rejects within a second, also with the database away or hanging. */
export interface HealthProbe {
  /** Whether this process met damage in the database within the last hour. Known also if no query runs. */
  readonly isDamaged: boolean;
  /** True where a query runs. */
  ping(): Promise<boolean>;
  /** Whether every migration is applied. Asked only where a query runs. */
  isMigrated(): Promise<boolean>;
  /**
   * Why writes are refused, or null. It tries to write if this process was refused lately, or if the caller suspects that
   * others are.
   */
  writeRefusal(isSuspected: boolean): Promise<WriteRefusal | null>;
}

/** Answers within 2 s, also with the database hanging. */
export class CheckHealth {
  constructor(
    private readonly probe: HealthProbe,
    private readonly vault: Vault,
    private readonly reads: Pick<HealthReads, 'jobs'>,
    private readonly uptimeSeconds: () => number,
    /** Null where nothing is shared. */
    private readonly limits: SharedLimits | null = null,
  ) {}

  async execute(): Promise<Health> {
    const database = await this.probe.ping().catch(() => false);
    const [migrations, workers] = database
      ? await Promise.all([this.probe.isMigrated().catch(() => false), this.areWorkersThere()])
      : [false, false];
    // A worker that cannot write looks like one that is missing.
    const tried = migrations ? await this.probe.writeRefusal(!workers).catch(() => null) : null;
    const writeRefusal = this.probe.isDamaged ? 'database_damaged' : tried;
    return {
      database,
      writeRefusal,
      signer: this.vault.isOpen,
      migrations,
      workers,
      sharedLimits: this.limits?.isAway !== true,
      uptimeSeconds: this.uptimeSeconds(),
    };
  }

  private async areWorkersThere(): Promise<boolean> {
    const jobs = await this.reads.jobs().catch(() => null);
    return jobs !== null && !areWorkersLate(jobs, this.uptimeSeconds() * 1000);
  }
}
