import {
  addSigningKey,
  revokeSigningKey,
  setEncryptionKey,
} from '../../../application/identity/agent-key-operations.ts';
import {
  addAgentReference,
  declareCapabilities,
  getAgent,
} from '../../../application/identity/agent-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const AGENT = '/v1/agents/{agentId}';

/** Agents and what they publish. */
export const agentBindings: readonly RestBinding[] = [
  bind(getAgent, { method: 'GET', path: AGENT }),
  bind(declareCapabilities, { method: 'PUT', path: `${AGENT}/capabilities` }),
  bind(setEncryptionKey, { method: 'PUT', path: `${AGENT}/encryption-key` }),
  bind(addSigningKey, { method: 'POST', path: `${AGENT}/signing-keys`, status: 201 }),
  bind(revokeSigningKey, { method: 'DELETE', path: `${AGENT}/signing-keys/{thumbprint}` }),
  bind(addAgentReference, { method: 'POST', path: `${AGENT}/references`, status: 201 }),
];
