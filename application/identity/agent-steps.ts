import type { Uuid } from '../../domain/kernel/ids.ts';
import type { NextStep } from '../call/guide.ts';

/** What mostly follows on a change of an agent. */
export const readAgent = (agentId: Uuid): NextStep => ({
  action: 'view',
  operation: 'getAgent',
  input: { agentId },
  description: 'Read the agent',
});

export const addSigningKeyStep = (agentId: Uuid): NextStep => ({
  action: 'register',
  operation: 'addSigningKey',
  input: { agentId },
  description: 'Register another signing key',
});

export const revokeSigningKeyStep = (agentId: Uuid, thumbprint: string): NextStep => ({
  action: 'revoke',
  operation: 'revokeSigningKey',
  input: { agentId, thumbprint },
  description: 'Revoke the key',
});
