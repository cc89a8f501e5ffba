import { Type } from 'typebox';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../domain/record-type/manifest.ts';
import { line, PAGE_INPUT, text, Uuid } from '../call/schemas.ts';

const AgentName = line({ minLength: 1, maxLength: 256 });

export const CreateAgentInput = Type.Object(
  {
    name: AgentName,
    orgId: Uuid,
    displayName: Type.Optional(line({ minLength: 1, maxLength: 256 })),
    capabilities: Type.Optional(
      Type.Array(Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME }), {
        maxItems: 1000,
        description: 'Names of record types that the agent performs; empty: any',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListAgentsInput = Type.Object(
  {
    orgId: Type.Optional({ ...Uuid, description: 'Of this org' }),
    name: Type.Optional({ ...AgentName, description: 'Of exactly this name' }),
    deactivated: Type.Optional(
      Type.Boolean({ description: 'Deactivated ones alone, or the others' }),
    ),
    ...PAGE_INPUT,
  },
  { additionalProperties: false },
);

export const DeactivateAgentInput = Type.Object(
  { agentId: Uuid, reason: Type.Optional(text({ maxLength: 2000 })) },
  { additionalProperties: false },
);

export const ReactivateAgentInput = Type.Object({ agentId: Uuid }, { additionalProperties: false });
