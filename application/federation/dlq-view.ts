import { Type } from 'typebox';
import type { FederationDeadLetter, Recovered } from '../../domain/federation/lane-store.port.ts';
import { LANE_STOPS } from '../../domain/federation/lane.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const FederationDeadLetterSchema = Type.Object({
  id: { ...Uuid, description: 'The messageId' },
  peerHubId: Uuid,
  recordId: { ...Uuid, description: 'The record on this hub' },
  sequence: Type.Integer({ minimum: 1 }),
  route: oneOf(['state-transitions', 'signals']),
  reason: oneOf([...LANE_STOPS]),
  attempts: Type.Integer({ minimum: 0, description: "Of the lane's first message" }),
  lastStatus: nullable(Type.Integer({ description: 'Null where there was no answer' })),
  lastError: nullable(Type.String()),
  createdAt: { ...Timestamp, description: 'When it was queued' },
  stoppedAt: { ...Timestamp, description: 'When its lane stopped' },
});

export const RecoveredSchema = Type.Object({
  recovered: Type.Integer({ minimum: 0, description: 'Messages that left the DLQ' }),
  remaining: Type.Integer({ minimum: 0, description: 'Those that stay: of revoked peers' }),
  ...GUIDANCE,
});

export const federationDeadLetterView = ({
  queuedAt,
  ...letter
}: FederationDeadLetter): ViewOf<typeof FederationDeadLetterSchema> => ({
  id: letter.id,
  peerHubId: letter.peerHubId,
  recordId: letter.recordId,
  sequence: letter.sequence,
  route: letter.route,
  reason: letter.reason,
  attempts: letter.attempts,
  lastStatus: letter.lastStatus,
  lastError: letter.lastError,
  createdAt: queuedAt,
  stoppedAt: letter.stoppedAt,
});

export const SENT_AGAIN = 'Each lane goes on at once, from its lowest sequence.';
const NOTHING = 'There was nothing to recover.';
const STAYS =
  'What remains is of revoked peers: a peer that is registered again starts with new records.';

export const DLQ_STEP = {
  action: 'view-dlq',
  operation: 'listFederationDlq',
  input: {},
  description: 'Read what waits in the DLQ',
};

export const recoveredView = (
  { recovered, remaining }: Recovered,
  guide: Guide,
): ViewOf<typeof RecoveredSchema> => ({
  recovered,
  remaining,
  suggestion: recovered > 0 ? SENT_AGAIN : remaining > 0 ? STAYS : NOTHING,
  nextSteps: guide.steps(DLQ_STEP),
});
