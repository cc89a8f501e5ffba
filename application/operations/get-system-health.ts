import type { CallContext } from '../call/call-context.ts';
import type { HealthReport, JudgeHealth } from './judge-health.ts';
import type { ProcessFacts, ProcessState } from './process-facts.port.ts';

export interface SystemHealth extends HealthReport {
  readonly process: ProcessState;
}

/** How the service does, for its operator. */
export class GetSystemHealth {
  constructor(
    private readonly judge: Pick<JudgeHealth, 'report'>,
    private readonly process: ProcessFacts,
  ) {}

  async execute(_context: CallContext, _input: object): Promise<SystemHealth> {
    return { ...(await this.judge.report()), process: this.process.state() };
  }
}
