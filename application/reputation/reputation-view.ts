import { Type } from 'typebox';
import { Timestamp, Uuid, nullable } from '../call/schemas.ts';

export const Count = Type.Integer({ minimum: 0 });
export const AcceptanceRate = nullable(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'accepted over all verdicts; null without verdicts',
  }),
);
export const MedianMs = nullable(
  Type.Integer({ description: 'From activation to submission; null without submissions' }),
);

const STANDING = {
  score: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Lower bound of the 95 % Wilson interval of accepted over all verdicts; null without verdicts',
    }),
  ),
  sampleSize: Type.Integer({ minimum: 0, description: 'Verdicts that the score rests on' }),
  acceptanceRate: AcceptanceRate,
};

/** The head of a reputation, as an agent's own view shows it. */
export const StandingSchema = Type.Object(STANDING, {
  description: 'What GET /v1/agents/{agentId}/reputation tells in full',
});

const TALLY = {
  ...STANDING,
  records: Count,
  completions: Count,
  accepted: Count,
  rejected: Count,
  overturned: Count,
  expired: Count,
  medianCompletionMs: MedianMs,
};

/** The view shows the reputation as it is counted. */
export const ReputationSchema = Type.Object({
  agentId: Uuid,
  ...TALLY,
  byType: Type.Array(Type.Object({ type: Type.String(), ...TALLY })),
  since: nullable(Timestamp),
});
