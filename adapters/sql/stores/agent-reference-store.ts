import type { AgentReference } from '../../../domain/identity/agent-reference.ts';
import type { AgentReferenceStore } from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import {
  AGENT_REFERENCES,
  agentReferenceToRow,
  rowToAgentReference,
  type AgentReferenceRow,
} from '../rows/agent-reference-row.ts';
import { columnsOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { uuidToSql } from '../values.ts';

export class SqlAgentReferenceStore implements AgentReferenceStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(reference: AgentReference, entryPosition: number): Promise<void> {
    this.unit.insert(AGENT_REFERENCES, agentReferenceToRow(reference, entryPosition));
  }

  async of(agentId: Uuid): Promise<readonly AgentReference[]> {
    return (await this.unit.all<AgentReferenceRow>(agentReferencesOf(1), [uuidToSql(agentId)])).map(
      rowToAgentReference,
    );
  }
}

/** Takes the ids of as many agents. */
export const agentReferencesOf = (agents: number): string =>
  `SELECT ${columnsOf(AGENT_REFERENCES)} FROM agent_references WHERE agent_id IN (${Array<string>(agents).fill('?').join(', ')}) ORDER BY agent_id, entry_position`;
