import type { Uuid } from '../kernel/ids.ts';
import type { ReferenceTarget } from '../kernel/reference-target.ts';
import type { ActorClaim } from '../vault/statement.ts';

/** An external reference on an agent, as it is stored and shown. `addedAt` is ISO 8601. */
export interface AgentReference extends ReferenceTarget {
  readonly id: Uuid;
  readonly agentId: Uuid;
  readonly addedBy: ActorClaim;
  readonly addedAt: string;
}
