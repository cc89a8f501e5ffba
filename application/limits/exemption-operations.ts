import { Type } from 'typebox';
import { operation, type Target } from '../call/operation.ts';
import { Uuid } from '../call/schemas.ts';
import { ExemptOwner } from './exempt-owner.ts';
import {
  EXEMPTION,
  GivenExemptionSchema,
  IS_EXEMPT,
  IS_LIMITED,
  RateLimitExemptionSchema,
  RestoredLimitsSchema,
  exemptStep,
  exemptionView,
  givenExemptionView,
  restoreStep,
  restoredLimitsView,
} from './exemption-view.ts';
import { GetExemption } from './get-exemption.ts';
import { RestoreLimits } from './restore-limits.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const OwnerInput = Type.Object({ ownerId: Uuid }, { additionalProperties: false });
const targetOf = ({ ownerId }: { readonly ownerId?: string }): Target | null =>
  ownerId ? { kind: 'agent', id: ownerId } : null;

export const getRateLimitExemption = operation({
  id: 'getRateLimitExemption',
  words: {
    summary: 'Show whether rate limits count an agent',
    description: '404 where they do.',
    group: 'Administration',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: OwnerInput,
  output: RateLimitExemptionSchema,
  result: { description: 'The exemption', example: EXEMPTION },
  target: targetOf,
  useCase: GetExemption,
  concerns: ({ ownerId }) => ({ agents: [ownerId] }),
  view: (exemption) => ({ view: exemptionView(exemption) }),
});

export const exemptFromRateLimits = operation({
  id: 'exemptFromRateLimits',
  words: {
    summary: 'Exempt an agent from rate limits',
    description:
      'Calls of every API key and certificate of the agent count in no window of calls a minute, neither its own nor that of its org, on every node within a second; answers to them have no rate-limit headers. What a key may have under way at once, failed authentication by address, the size of a bulk, and 503 of a node under load stay. Doing it twice changes nothing.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: OwnerInput,
  output: GivenExemptionSchema,
  examples: { now: { ownerId: EXEMPTION.ownerId } },
  result: {
    description: 'The exemption',
    example: {
      ...EXEMPTION,
      suggestion: IS_EXEMPT,
      nextSteps: [restoreStep(EXEMPTION.ownerId)],
    },
  },
  target: targetOf,
  useCase: ExemptOwner,
  view: (exemption, guide) => ({ view: givenExemptionView(exemption, guide) }),
});

export const restoreRateLimits = operation({
  id: 'restoreRateLimits',
  words: {
    summary: 'Limit an exempt agent again',
    description:
      'On every node within a second. What it called while it was exempt is not counted.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: OwnerInput,
  output: RestoredLimitsSchema,
  result: {
    description: 'Limited again',
    example: {
      ownerId: EXEMPTION.ownerId,
      deleted: true,
      suggestion: IS_LIMITED,
      nextSteps: [exemptStep(EXEMPTION.ownerId)],
    },
  },
  target: targetOf,
  useCase: RestoreLimits,
  view: (exemption, guide) => ({ view: restoredLimitsView(exemption, guide) }),
});
