import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import {
  DEFAULT_WINDOW_DAYS,
  driftOf,
  driftWindow,
  type Drift,
  type DriftWindow,
} from '../../domain/reputation/drift.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';

export interface AgentDrift {
  readonly agentId: Uuid;
  readonly window: DriftWindow;
  readonly overall: Drift;
  readonly byType: readonly (Drift & { readonly type: string })[];
}

/** How an agent's recent work differs from its earlier work. An agent reads its own, an admin that of any agent of its org. */
export class GetDrift {
  constructor(
    private readonly agents: AgentReads,
    private readonly performance: PerformanceReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly agentId: Uuid; readonly window?: number; readonly type?: string },
  ): Promise<AgentDrift> {
    await this.assertMayRead(context, input.agentId);
    const window = driftWindow(input.window ?? DEFAULT_WINDOW_DAYS, this.clock.now().toISOString());
    const { overall, byType } = await this.performance.drift(input.agentId, window);
    return {
      agentId: input.agentId,
      window,
      overall: driftOf(window, overall),
      byType: byType
        .filter(({ type }) => type === (input.type ?? type))
        .map((row) => ({ type: row.type, ...driftOf(window, row) })),
    };
  }

  private async assertMayRead({ caller }: CallContext, agentId: Uuid): Promise<void> {
    if (caller.role === 'agent') {
      if (caller.agentId === agentId) return;
      throw new NotaryError(
        'FORBIDDEN',
        "An agent reads its own drift alone; another agent's takes a key with the role admin, and this one has the role agent.",
        { allowedActors: ['admin', 'platform'] },
      );
    }
    if (!caller.allowed.has('drift:read'))
      throw new NotaryError('INSUFFICIENT_SCOPE', 'The key lacks the scope drift:read.', {
        missingScopes: ['drift:read'],
      });
    const agent = await this.agents.find(agentId);
    if (!agent || (caller.role !== 'platform' && caller.orgId !== agent.orgId))
      throw notFound('agent');
  }
}
