import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { SystemHealth } from './get-system-health.ts';
import type { JudgeHealth } from './judge-health.ts';
import type { ProcessFacts } from './process-facts.port.ts';

export type SettingValue = string | number | boolean | readonly string[] | null;

/** What whoever wires knows of the installation; nothing of it is a secret. */
export interface Installation {
  readonly release: string;
  readonly interfaceVersion: string;
  readonly databaseKind: 'sqlite' | 'mysql';
  /** For how long a credential that was looked up is believed, ms. */
  readonly authCacheMs: number;
  readonly config: { readonly [name: string]: SettingValue };
  readonly environment: {
    readonly platform: string;
    readonly arch: string;
    readonly processors: number;
    readonly memoryBytes: number;
    readonly timeZone: string;
  };
}

export interface SupportBundle {
  readonly generatedAt: string;
  readonly health: SystemHealth;
  readonly installation: Installation;
  readonly connections: { readonly used: number; readonly free: number; readonly waiting: number };
}

/** What somebody who helps an operator asks for first. It holds no secret, and nothing that an org has here. */
export class GetSupportBundle {
  constructor(
    private readonly judge: Pick<JudgeHealth, 'report'>,
    private readonly process: ProcessFacts,
    private readonly clock: Clock,
    private readonly installation: Installation,
    private readonly connections: () => SupportBundle['connections'],
  ) {}

  async execute(_context: CallContext, _input: object): Promise<SupportBundle> {
    const report = await this.judge.report();
    return {
      generatedAt: this.clock.now().toISOString(),
      health: { ...report, process: this.process.state() },
      installation: this.installation,
      connections: this.connections(),
    };
  }
}
