import {
  createAgent,
  deactivateAgent,
  listAgents,
  reactivateAgent,
} from '../../../application/identity/agent-admin-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/admin/agents';
const names = { id: 'agentId' } as const;

export const adminAgentBindings: readonly RestBinding[] = [
  bind(createAgent, {
    method: 'POST',
    path: PATH,
    status: 201,
    location: ({ id }) => `/v1/agents/${id}`,
    locationWords: 'Path of the agent',
  }),
  bind(listAgents, { method: 'GET', path: PATH }),
  bind(deactivateAgent, { method: 'POST', path: `${PATH}/{id}/deactivate`, names }),
  bind(reactivateAgent, { method: 'POST', path: `${PATH}/{id}/reactivate`, names }),
];
