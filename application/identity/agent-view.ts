import { Type } from 'typebox';
import type { AgentProfile } from '../../domain/identity/agent.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { StandingSchema } from '../reputation/reputation-view.ts';
import {
  EncryptionJwkSchema,
  SigningKeySchema,
  encryptionJwkView,
  signingKeyView,
} from './agent-key-view.ts';
import { AgentReferenceSchema } from './agent-reference-view.ts';
import type { FoundAgent } from './get-agent.ts';

const FOREIGN_MEMBERS = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  displayName: Type.String(),
  capabilities: Type.Array(Type.String(), { description: 'Names of record types; empty: any' }),
  signingKeys: Type.Array(SigningKeySchema, { description: 'Oldest first, revoked ones included' }),
  encryptionKeyJwk: orNull(EncryptionJwkSchema),
};

const OWN_MEMBERS = {
  references: Type.Array(AgentReferenceSchema),
  deactivatedAt: nullable(Timestamp),
  deactivationReason: nullable(Type.String()),
  managedBy: nullable(oneOf(['provisioning'])),
  createdAt: Timestamp,
};

/** An agent as anyone may read it: a stranger sees fewer members. */
export const AgentSchema = Type.Object({
  ...FOREIGN_MEMBERS,
  ...Type.Partial(Type.Object({ ...OWN_MEMBERS, reputation: StandingSchema })).properties,
});

/** An agent as its org sees it. */
export const OwnAgentSchema = Type.Object({ ...FOREIGN_MEMBERS, ...OWN_MEMBERS });

export const ChangedAgentSchema = Type.Object({ ...OwnAgentSchema.properties, ...GUIDANCE });

export const agentView = ({ agent, own, reputation }: FoundAgent): ViewOf<typeof AgentSchema> =>
  own ? { ...ownAgentView(agent), ...(reputation ? { reputation } : {}) } : foreignAgentView(agent);

export const ownAgentView = (agent: AgentProfile): ViewOf<typeof OwnAgentSchema> => ({
  ...foreignAgentView(agent),
  references: agent.references,
  deactivatedAt: agent.deactivatedAt,
  deactivationReason: agent.deactivationReason,
  managedBy: agent.managedBy,
  createdAt: agent.createdAt,
});

const foreignAgentView = (
  agent: AgentProfile,
): Pick<ViewOf<typeof OwnAgentSchema>, keyof typeof FOREIGN_MEMBERS> => ({
  id: agent.id,
  orgId: agent.orgId,
  name: agent.name,
  displayName: agent.displayName,
  capabilities: agent.capabilities,
  signingKeys: agent.signingKeys.map(signingKeyView),
  encryptionKeyJwk: agent.encryptionKey && encryptionJwkView(agent.encryptionKey),
});
