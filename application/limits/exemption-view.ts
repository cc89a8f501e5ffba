import { Type } from 'typebox';
import type { RateLimitExemption } from '../../domain/identity/rate-limit-exemption.ts';
import { AT, IDS } from '../call/example-story.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const RateLimitExemptionSchema = Type.Object({
  ownerType: oneOf(['agent']),
  ownerId: Uuid,
  exemptedAt: Timestamp,
});

export const GivenExemptionSchema = Type.Object({
  ...RateLimitExemptionSchema.properties,
  ...GUIDANCE,
});

export const RestoredLimitsSchema = Type.Object({
  ownerId: Uuid,
  deleted: Type.Literal(true),
  ...GUIDANCE,
});

export const exemptionView = ({
  ownerId,
  createdAt,
}: RateLimitExemption): ViewOf<typeof RateLimitExemptionSchema> => ({
  ownerType: 'agent',
  ownerId,
  exemptedAt: createdAt,
});

/** Also in the examples of the answers, like the three below. */
export const IS_EXEMPT =
  'Its calls are counted no more, on every node within a second. Take the exemption back when the load is over.';
export const IS_LIMITED = 'It is limited as everybody is, on every node within a second.';
export const restoreStep = (ownerId: string): NextStep => ({
  action: 'restore-limits',
  operation: 'restoreRateLimits',
  input: { ownerId },
  description: 'Limit the agent again',
});
export const exemptStep = (ownerId: string): NextStep => ({
  action: 'exempt',
  operation: 'exemptFromRateLimits',
  input: { ownerId },
  description: 'Exempt the agent again',
});

export const givenExemptionView = (
  exemption: RateLimitExemption,
  guide: Guide,
): ViewOf<typeof GivenExemptionSchema> => ({
  ...exemptionView(exemption),
  suggestion: IS_EXEMPT,
  nextSteps: guide.steps(restoreStep(exemption.ownerId)),
});

export const restoredLimitsView = (
  { ownerId }: Pick<RateLimitExemption, 'ownerId'>,
  guide: Guide,
): ViewOf<typeof RestoredLimitsSchema> => ({
  ownerId,
  deleted: true,
  suggestion: IS_LIMITED,
  nextSteps: guide.steps(exemptStep(ownerId)),
});

export const EXEMPTION = {
  ownerType: 'agent',
  ownerId: IDS.performer,
  exemptedAt: AT,
};
