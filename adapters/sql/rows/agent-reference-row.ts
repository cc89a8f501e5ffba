import type { AgentReference } from '../../../domain/identity/agent-reference.ts';
import type { SqlValue } from '../session.ts';
import { uuidFromSql, uuidToSql } from '../values.ts';
import { OWNED_COLUMNS, ownedToRow, rowToOwned, type OwnedReferenceRow } from './reference-row.ts';
import { table } from './tables.ts';

export const AGENT_REFERENCES = table('agent_references', ['agent_id', ...OWNED_COLUMNS]);

export interface AgentReferenceRow extends OwnedReferenceRow {
  readonly agent_id: Uint8Array;
}

/** In the order of AGENT_REFERENCES.columns. */
export const agentReferenceToRow = (
  reference: AgentReference,
  entryPosition: number,
): readonly SqlValue[] => [uuidToSql(reference.agentId), ...ownedToRow(reference, entryPosition)];

export const rowToAgentReference = (row: AgentReferenceRow): AgentReference => {
  const { id, ...rest } = rowToOwned(row);
  return { id, agentId: uuidFromSql(row.agent_id), ...rest };
};
