import { Type } from 'typebox';
import type { AgentReference } from '../../domain/identity/agent-reference.ts';
import type { Guide } from '../call/guide.ts';
import { Actor, GUIDANCE, Timestamp, Uuid, nullable, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { REFERENCE_TARGET, ReferenceDigest } from '../record/reference-input.ts';
import { readAgent } from './agent-steps.ts';

/** Shown as it is stored. */
export const AgentReferenceSchema = Type.Object({
  id: Uuid,
  agentId: Uuid,
  ...REFERENCE_TARGET,
  digest: orNull(ReferenceDigest),
  label: nullable(Type.String()),
  addedBy: Actor,
  addedAt: Timestamp,
});

/** Where the reference has just been added. */
export const AddedAgentReferenceSchema = Type.Object({
  ...AgentReferenceSchema.properties,
  ...GUIDANCE,
});

export const REFERENCE_IS_SHOWN =
  'The reference is shown with the agent, to the agent and its org.';

export const addedAgentReferenceView = (
  reference: AgentReference,
  guide: Guide,
): ViewOf<typeof AddedAgentReferenceSchema> => ({
  ...reference,
  suggestion: REFERENCE_IS_SHOWN,
  nextSteps: guide.steps(readAgent(reference.agentId)),
});
