import type { AgentReference } from '../../../domain/identity/agent-reference.ts';
import type { AgentReferenceStore } from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll } from '../tables/find.ts';
import { AGENT_REFERENCES } from '../records/reference-row.ts';
import { placeholders } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlAgentReferenceStore implements AgentReferenceStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(reference: AgentReference, entryPosition: number): Promise<void> {
    this.unit.insert(AGENT_REFERENCES, AGENT_REFERENCES.toRow({ ...reference, entryPosition }));
  }

  of(agentId: Uuid): Promise<readonly AgentReference[]> {
    return findAll(this.unit, AGENT_REFERENCES, agentReferencesOf(1), [uuidToSql(agentId)]);
  }
}

/** The statement takes the ids of this many agents. */
export const agentReferencesOf = (agents: number): string =>
  `${AGENT_REFERENCES.select} WHERE agent_id IN (${placeholders(agents)}) ORDER BY agent_id, entry_position`;
