import type { SharedLimits } from '../limits/rate-limiter.port.ts';
import type { Vault } from '../vault/vault.ts';

export interface Health {
  readonly database: boolean;
  readonly signer: boolean;
  readonly migrations: boolean;
  /** False while rate limits that nodes share are counted by each for itself. Requests are served all the same. */
  readonly sharedLimits: boolean;
  readonly uptimeSeconds: number;
}

/** What the probes ask. Each answers or rejects within a second, also with the database away or hanging. */
export interface HealthProbe {
  /** True where a query runs. */
  ping(): Promise<boolean>;
  /** Whether every migration is applied. Asked only where a query runs. */
  isMigrated(): Promise<boolean>;
}

/** Answers within 2 s, also with the database hanging. */
export class CheckHealth {
  constructor(
    private readonly probe: HealthProbe,
    private readonly vault: Vault,
    private readonly uptimeSeconds: () => number,
    /** Null where nothing is shared. */
    private readonly limits: SharedLimits | null = null,
  ) {}

  async execute(): Promise<Health> {
    const database = await this.probe.ping().catch(() => false);
    return {
      database,
      signer: this.vault.isOpen,
      migrations: database && (await this.probe.isMigrated().catch(() => false)),
      sharedLimits: this.limits?.isAway !== true,
      uptimeSeconds: this.uptimeSeconds(),
    };
  }
}
