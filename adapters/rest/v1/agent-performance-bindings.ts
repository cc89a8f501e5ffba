import {
  getDrift,
  getReputation,
  listDrift,
  listHistory,
} from '../../../application/reputation/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** The track record of agents as performers. */
export const agentPerformanceBindings: readonly RestBinding[] = [
  bind(listDrift, { method: 'GET', path: '/v1/agents/drift' }),
  bind(getDrift, { method: 'GET', path: '/v1/agents/{agentId}/drift' }),
  bind(getReputation, { method: 'GET', path: '/v1/agents/{agentId}/reputation' }),
  bind(listHistory, { method: 'GET', path: '/v1/agents/{agentId}/history' }),
];
